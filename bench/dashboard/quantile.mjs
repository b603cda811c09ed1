/** @param {number[]} times @param {number} share 0.5: the median */
export const quantile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))];
