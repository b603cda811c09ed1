/** Asks the driver's own tool about this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LIMITS = { timeout: 10_000, maxBuffer: 1_000_000 };

/** The list of devices and the matrix of their links; null where there is no such tool or it fails. */
export async function nvidiaSmiHere(): Promise<string | null> {
  try {
    const { stdout } = await run('nvidia-smi', ['--query-gpu=name,memory.total', '--format=csv'], LIMITS);
    const matrix = await run('nvidia-smi', ['topo', '-m'], LIMITS).catch(() => ({ stdout: '' }));
    return `${stdout}\n${matrix.stdout}`;
  } catch {
    return null;
  }
}
