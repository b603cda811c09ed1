/** A file that an export makes. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}
