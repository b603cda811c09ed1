/** Files that a command was asked to write. */
import { replaceFile } from '../../node/files';
import { UsageError } from '../usage';

export function writeOutput(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw new UsageError(
      'file',
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
