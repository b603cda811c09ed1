export { combine, copy } from './reduce';
export {
  allGatherSlice,
  allReduceSlice,
  allToAllSlice,
  broadcastSlice,
  reduceScatterSlice,
  reduceSlice,
} from './slices';
export {
  allGather,
  allReduce,
  allToAll,
  barrier,
  broadcast,
  post,
  reduceScatter,
  sleeps,
  waitFor,
} from './shared';
