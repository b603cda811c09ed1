export { combine, copy } from './reduce';
export {
  allGatherSlice,
  allReduceSlice,
  allToAllSlice,
  broadcastSlice,
  reduceScatterSlice,
  reduceSlice,
} from './slices';
