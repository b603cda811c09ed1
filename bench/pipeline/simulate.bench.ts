/** Speed of the simulator of pipeline schedules, beside a plain loop over the same arrays. */
import { benchPipeline } from '../../src/engine/pipeline/pipeline.bench';

for (const { name, value, unit, reference, ratio } of benchPipeline(() => performance.now()))
  console.log(
    `  ${name}: ${value.toPrecision(4)} ${unit}, plain loop ${reference.toPrecision(4)}, ratio ${ratio.toPrecision(3)}`,
  );
