/** What the command line says of the same files. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { EstimateDocument } from '../../src/documents/types';

/** `extension` is the folder of the extension. Exit code 1 means that a problem was found; the document is printed all the same. */
export function askCommandLine(extension: string, args: readonly string[]): EstimateDocument {
  const cli = path.join(extension, 'dist', 'cli.js');
  try {
    const text = execFileSync(process.execPath, [cli, ...args, '--json'], { encoding: 'utf8', maxBuffer: 1e8 });
    return JSON.parse(text) as EstimateDocument;
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout) as EstimateDocument;
  }
}
