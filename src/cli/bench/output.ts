/** Files that a command was asked to write. */
import { writeFileSync } from 'node:fs';
import { UsageError } from '../usage';

export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      'file',
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
