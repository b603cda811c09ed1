// Speeds, as ratios to a reference measured in the same run: `npm run bench [part of a name]`.
import { benchPipeline, type Measurement } from '../src/engine/pipeline/pipeline.bench';

const BENCHES: Readonly<Record<string, () => readonly Measurement[]>> = {
  pipeline: () => benchPipeline(() => performance.now()),
};

const wanted = process.argv[2] ?? '';
for (const [name, run] of Object.entries(BENCHES)) {
  if (!name.includes(wanted)) continue;
  console.log(name);
  for (const { name: figure, value, unit, reference, ratio } of run()) {
    console.log(
      `  ${figure.padEnd(56)} ${value.toPrecision(4)} ${unit}, reference ${reference.toPrecision(4)}, ratio ${ratio.toPrecision(3)}`,
    );
  }
}
