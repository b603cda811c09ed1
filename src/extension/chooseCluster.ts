/** "Choose the Cluster": a machine or an accelerator from the list, or what nvidia-smi says here or in the clipboard. */
import * as vscode from 'vscode';
import { type AcceleratorId, ACCELERATORS, isAcceleratorId } from '../engine/hardware/accelerators';
import { MACHINES } from '../engine/hardware/machines';
import { parseNvidiaSmi } from '../engine/hardware/nvidiaSmi';
import { problem } from '../engine/problem';
import { acceleratorDetail, CLUSTER_WORDS, machineDetail } from '../words/cluster';
import { problemMessage } from '../words/problems';
import { enter, pick } from './ask';
import { type ClusterSettings, saveCluster } from './settings';
import { machineRefusal, usableMachine } from './trust';

interface ClusterItem extends vscode.QuickPickItem {
  /** null: the user stopped on the way. */
  readonly node?: () => Promise<Partial<ClusterSettings> | null>;
}

/** Asks for the node and how many there are, and keeps both in the settings. */
export async function chooseCluster(uri: vscode.Uri): Promise<void> {
  const chosen = await pick(items(), CLUSTER_WORDS.title);
  const node = await chosen?.node?.();
  if (node === undefined || node === null) return;
  const nodes = await askCount(CLUSTER_WORDS.nodesTitle, CLUSTER_WORDS.nodesPrompt);
  if (nodes === undefined) return;
  await saveCluster(uri, { ...EMPTY, ...node, nodes });
}

/** null: left to what is usual; undefined: the user stopped on the way. */
async function askCount(title: string, prompt: string): Promise<number | null | undefined> {
  const text = await enter({
    title,
    prompt,
    check: answer => (answer === '' || isCount(answer) ? null : CLUSTER_WORDS.countInvalid),
  });
  return text === undefined ? undefined : text === '' ? null : Number(text);
}

/** Of an accelerator alone no machine says how many stand in a node: one, for who fine-tunes at a desk. */
async function accelerator(gpu: AcceleratorId): Promise<Partial<ClusterSettings> | null> {
  const usual = ACCELERATORS[gpu].gpusPerNode;
  const gpusPerNode = await askCount(CLUSTER_WORDS.perNodeTitle, CLUSTER_WORDS.perNodePrompt(usual));
  return gpusPerNode === undefined ? null : { gpu, gpusPerNode };
}

/** A new node leaves nothing of the old one. */
const EMPTY: ClusterSettings = { gpu: null, nodes: null, gpusPerNode: null, nicBytesPerSecond: null, domainSize: null };

function items(): ClusterItem[] {
  const separator = (label: string): ClusterItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const machines = MACHINES.map(machine => {
    const { gpu, gpusPerNode, nicBytesPerSecond, domainSize } = machine;
    const node = { gpu, gpusPerNode, nicBytesPerSecond, domainSize };
    return { label: machine.name, description: gpu, detail: machineDetail(machine), node: async () => node };
  });
  const accelerators = Object.keys(ACCELERATORS)
    .filter(isAcceleratorId)
    .map(gpu => ({
      label: ACCELERATORS[gpu].name,
      description: gpu,
      detail: acceleratorDetail(ACCELERATORS[gpu]),
      node: () => accelerator(gpu),
    }));
  const here = { label: `$(vm) ${CLUSTER_WORDS.here}`, node: readHere };
  return [
    ...(machineRefusal() === null ? [here] : []),
    { label: `$(clippy) ${CLUSTER_WORDS.clipboard}`, description: CLUSTER_WORDS.clipboardWhat, node: readClipboard },
    separator(CLUSTER_WORDS.machines),
    ...machines,
    separator(CLUSTER_WORDS.accelerators),
    ...accelerators,
  ];
}

async function readClipboard(): Promise<Partial<ClusterSettings> | null> {
  return nodeOf(await vscode.env.clipboard.readText());
}

/** Runs the driver's own tool, only where the user has asked for it and trusts the workspace. */
async function readHere(): Promise<Partial<ClusterSettings> | null> {
  const text = await usableMachine().nvidiaSmi();
  if (text !== null) return nodeOf(text);
  void vscode.window.showWarningMessage(CLUSTER_WORDS.noTool);
  return null;
}

function nodeOf(text: string): Partial<ClusterSettings> | null {
  const found = parseNvidiaSmi(text);
  if (!('code' in found)) return found;
  const what = found.code === 'syntax' ? CLUSTER_WORDS.notRead : problemMessage(problem(found.code, found.args));
  void vscode.window.showWarningMessage(`MeshLens: ${what}`);
  return null;
}

function isCount(text: string): boolean {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000;
}
