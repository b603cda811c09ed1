/** Looking at one map of a config.json: numbers with the default that the class has where a key is absent. */
import { SIZE_LIMITS } from '../../model/sizes';
import type { ConfigReader, Read } from '../reader';
import { nodeAt, plainValue } from '../tree';

export class Values {
  constructor(
    readonly reader: ConfigReader,
    readonly path: readonly string[],
  ) {}

  /** The map under a key. */
  under(...keys: string[]): Values {
    return new Values(this.reader, [...this.path, ...keys]);
  }

  /** The key holds a map. */
  hasMap(key: string): boolean {
    return nodeAt(this.reader.root, ...this.path, key)?.kind === 'map';
  }

  read(name: string, min = 1, max = SIZE_LIMITS.ffn): Read<number> | null {
    return this.reader.integer([...this.path, ...name.split('.')], min, max);
  }

  /** An integer, or the default of the class. */
  int(name: string, fallback: number): number {
    return this.read(name, 0)?.value ?? fallback;
  }

  flag(name: string): boolean | null {
    return this.reader.boolean([...this.path, ...name.split('.')])?.value ?? null;
  }

  text(name: string): string | null {
    const value = plainValue(nodeAt(this.reader.root, ...this.path, name));
    return typeof value === 'string' ? value : null;
  }

  list(name: string): unknown[] | null {
    const node = nodeAt(this.reader.root, ...this.path, name);
    return node?.kind === 'list' ? node.items.map(plainValue) : null;
  }

  numbers(name: string): number[] {
    return (this.list(name) ?? []).filter((value): value is number => typeof value === 'number');
  }
}
