/** Keep, recompute or communicate: the ways of one layer's activations to its backward pass. */
import { h, type VNode } from '../dom';
import { type Scene, table } from '../parts';
import { say } from '../words';

export function activationTradeTable({ state, formats }: Scene): VNode | null {
  const trade = state.estimate.activationTrade;
  if (trade === null) return null;
  const { bytes, seconds } = formats;
  const rows = trade.ways.map(({ way, ...one }) => [
    say(`trade-${way}`),
    bytes(one.heldBytes),
    bytes(one.linkBytes),
    seconds(one.seconds),
    bytes(one.peakBytes),
    one.fits === null ? say('unknownValue') : say(one.fits ? 'fits' : 'doesNotFit'),
  ]);
  const heads = ['tradeHeld', 'tradeLink', 'partSeconds', 'tradePeak'] as const;
  const cheapest = trade.ways.find(({ way }) => way === trade.cheapest);
  const sentences = [say('tradeText', { stage: trade.stage })];
  if (cheapest !== undefined) {
    sentences.push(say('tradeCheapest', { way: say(`trade-${cheapest.way}`), seconds: seconds(cheapest.seconds) }));
  } else if (trade.ways.every(({ fits }) => fits === false)) sentences.push(say('tradeNone'));
  return h(
    'div',
    {},
    h('h3', {}, say('tradeHeading')),
    h('p', {}, sentences.join(' ')),
    table(
      'activation-trade',
      say('tradeTable'),
      [
        { head: say('tradeWay') },
        ...heads.map(head => ({ head: say(head), numeric: true })),
        { head: say('memoryCard') },
      ],
      rows,
    ),
    h('p', { class: 'note' }, say('tradeNote')),
  );
}
