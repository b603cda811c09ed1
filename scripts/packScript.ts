/** npm run pack-script: makes the module that carries the cluster benchmark's text, which bundles have no file for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../src/engine/bench/torchScript');
const text = readFileSync(join(folder, 'cluster.py'), 'utf8');
writeFileSync(
  join(folder, 'cluster.generated.ts'),
  `/** Made by \`npm run pack-script\` from cluster.py. */\nexport const CLUSTER_TEMPLATE =\n  ${JSON.stringify(text)};\n`,
);
