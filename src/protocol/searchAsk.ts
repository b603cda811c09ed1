/** What a search is asked for besides the setup. */
import * as v from 'valibot';
import { OBJECTIVES, SCALES } from '../engine/search/objective';

/** null: not stated. */
const amount = v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0)));

/** Tokens and seconds, as in the search's Goal; its price is among the user's costs. `scale`: also on other numbers of GPUs. */
export const SearchAsk = v.object({
  freeBatch: v.boolean(),
  objective: v.picklist(OBJECTIVES),
  tokens: amount,
  deadline: amount,
  criticalBatch: amount,
  scale: v.nullable(v.picklist(SCALES)),
});
export type SearchAsk = v.InferOutput<typeof SearchAsk>;

/** The fastest plans, and nothing else. */
export const PLAIN_SEARCH: SearchAsk = {
  freeBatch: false,
  objective: 'throughput',
  tokens: null,
  deadline: null,
  criticalBatch: null,
  scale: null,
};
