"""Products by NumPy on OpenBLAS, one thread: python3 peer_numpy.py SECONDS SIZE…; prints the library's kernel, then
`type size gigaflops` by line, the fastest of what fits into SECONDS a size."""
import ctypes
import sys
import time

import numpy as np

maps = open("/proc/self/maps").read()
library = next((line.split()[-1] for line in maps.splitlines() if "openblas" in line), None)
if library is None:
    sys.exit("NumPy is not on OpenBLAS")
blas = ctypes.CDLL(library)
blas.openblas_get_corename.restype = ctypes.c_char_p
print(blas.openblas_get_corename().decode())
seconds, sizes = float(sys.argv[1]), [int(size) for size in sys.argv[2:]]
for name, dtype in (("f32", np.float32), ("f64", np.float64)):
    for n in sizes:
        a, b = (np.random.rand(n, n).astype(dtype) for _ in range(2))
        out = np.empty((n, n), dtype)
        calls, best = max(1, 2**22 // n**3), float("inf")
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or best == float("inf"):
            start = time.perf_counter()
            for _ in range(calls):
                np.matmul(a, b, out=out)
            best = min(best, (time.perf_counter() - start) / calls)
        print(name, n, 2e-9 * n**3 / best)
