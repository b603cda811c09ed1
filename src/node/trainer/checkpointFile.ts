/** Checkpoints of training runs on disk. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Checkpoint } from '../../engine/trainer/checkpoint';
import { decodeCheckpoint, encodeCheckpoint } from '../../engine/trainer/checkpointBytes';

/** Whole or not at all: written beside the file and moved into its place. */
export function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  const beside = `${file}.part`;
  writeFileSync(beside, encodeCheckpoint(checkpoint));
  renameSync(beside, file);
}

/** Null where the file is no checkpoint. */
export function readCheckpoint(file: string): Checkpoint | null {
  return decodeCheckpoint(readFileSync(file));
}
