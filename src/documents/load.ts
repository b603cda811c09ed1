/** What a request to the engine is about: its files read and merged, the user's own values and hardware over them. */
import { belongTogether, withoutParts } from '../engine/configs/belong';
import { type HardwareFile, missingHardware, onHardware, readHardwareFile } from '../engine/configs/hardwareFile';
import { mergeReadings } from '../engine/configs/merge';
import { readAll } from '../engine/configs/registry';
import { mergeCosts, NO_WORKSPACE, readWorkspaceFile, type WorkspaceValues } from '../engine/configs/workspaceFile';
import { withValues } from '../engine/setup/override';
import type { FileReading } from '../engine/setup/setup';
import type { EngineInput } from '../protocol/engine';

export function loadInput({ files, values, workspace, answers, costs, chosen = null }: EngineInput) {
  const [primary, ...others] = readAll(files);
  const readings = primary === undefined ? [] : groupOf(primary, others, chosen);
  const { setup, problems } = mergeReadings(readings);
  const own = workspace === null ? NO_WORKSPACE : readWorkspaceFile(workspace.file, workspace.text, workspace.config);
  const hardware = hardwareOf(workspace, own);
  return {
    readings,
    // Values of settings that no longer mean anything are left out; the settings' own schema reports them.
    setup: withValues(onHardware(withValues(setup, values), hardware), [...own.values, ...answers]),
    problems: [...problems, ...own.problems, ...(hardware?.problems ?? [])],
    costs: mergeCosts(costs, own.costs),
    profile: hardware?.inUse ?? null,
  };
}

/** The hardware file that meshlens.json names: its text comes with it where there is such a file. */
function hardwareOf(workspace: EngineInput['workspace'], { hardware }: WorkspaceValues): HardwareFile | null {
  if (hardware === null) return null;
  const given = workspace?.hardware ?? null;
  return given === null ? missingHardware(hardware.path, hardware.source) : readHardwareFile(given.file, given.text);
}

/** The files that the user chose, or those that belong to the file at hand. */
function groupOf(primary: FileReading, others: readonly FileReading[], chosen: readonly string[] | null) {
  if (chosen === null) return belongTogether(primary, others);
  return withoutParts([primary, ...others.filter(({ file }) => chosen.includes(file))]);
}
