/** Files that a launch names: DeepSpeed's JSON, Megatron's YAML of options. */
import type { ShellScript } from '../shell/script';
import type { MegatronArgs } from './args';

/** With --yaml-cfg Megatron takes its options from there and from nowhere else (megatron/training/arguments.py). */
export const OPTIONS_FILE = 'yaml-cfg';

export function namedFiles(args: MegatronArgs, script: ShellScript): string[] {
  const flags = [OPTIONS_FILE, 'deepspeed-config'].map(name => args.all(name).at(-1)?.words[0]?.text);
  const deepSpeed = args.has('deepspeed-config') ? undefined : environment(args, script, 'DEEPSPEED_CONFIG');
  return [...flags, deepSpeed].filter(name => name !== undefined && name !== null);
}

function environment(args: MegatronArgs, script: ShellScript, name: string): string | null | undefined {
  return (args.command.environment.get(name) ?? script.variable(name))?.text;
}
