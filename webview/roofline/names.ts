/** Operators as the page names them. */
import type { Roofline, RooflineOperator } from '../../src/engine/estimate/roofline';
import { isWord, say } from '../words';

/** Those that have a place on the roofline, in the order of the layer. */
export function withProducts({ operators }: Roofline): RooflineOperator[] {
  return operators.filter(({ flops }) => flops > 0);
}

/** The kind of layer is named where the stage has several. */
export function operatorName({ name, kind }: RooflineOperator, { operators }: Roofline): string {
  const word = `part-${name}`;
  const text = isWord(word) ? say(word) : name;
  const kinds = new Set(operators.flatMap(operator => (operator.kind === null ? [] : [operator.kind])));
  return kinds.size > 1 && kind !== null ? say('kindSuffix', { name: text, kind: kind + 1 }) : text;
}
