export { combine, copy } from './reduce';
export {
  allGatherSlice,
  allReduceSlice,
  allToAllSlice,
  broadcastSlice,
  reduceScatterSlice,
  reduceSlice,
} from './slices';
export { productF32, productF64, productRoom } from './product';
