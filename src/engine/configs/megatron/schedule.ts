/** Which order a pipeline runs its micro-batches in. */
import type { Plan } from '../../plan/keys';
import type { SetupBuilder } from '../../setup/setup';
import type { MegatronArgs } from './args';

/** Memory limits of --zero-bubble-v-schedule. */
const V_SCHEDULES: Readonly<Record<string, Plan['schedule']>> = { zb: 'zb-v', half: 'v-half', min: 'v-min' };

/** Schedules of sail-sg/zero-bubble-pipeline-parallelism; Megatron itself has 1F1B, interleaved with virtual stages. */
export function readSchedule(args: MegatronArgs, builder: SetupBuilder): void {
  const { pp, vpp } = builder.plan;
  if (pp === null || pp === 1) return;
  const isFork = args.on('zero-bubble-v-schedule') === true || args.on('enable-zero-bubble') === true;
  if (isFork) builder.kinds.splice(0, 1, 'megatron-zero-bubble');
  if (args.on('zero-bubble-v-schedule') === true) {
    const source = args.place('zero-bubble-v-schedule');
    const setup = args.text('zero-bubble-v-schedule-mem-setup')?.value ?? 'zb';
    builder.setPlan('schedule', V_SCHEDULES[setup] ?? 'zb-v', 'file', source);
    builder.setPlan('vpp', 2, 'derived', source);
  } else if (args.on('enable-zero-bubble') === true) {
    const pending = args.integer('zero-bubble-max-pending-backward')?.value ?? pp;
    builder.setPlan('schedule', pending >= 2 * pp ? 'zb-2p' : 'zb-1p', 'file', args.place('enable-zero-bubble'));
  } else if (vpp !== null) builder.setPlan('schedule', vpp > 1 ? 'interleaved-1f1b' : '1f1b', 'default');
}
