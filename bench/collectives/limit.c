/* The all-reduce of two float buffers as fast as two pinned threads of C do it: one pass, each thread a half, a meeting
   before and one after. Times it as src/node/collectives/timed.ts does: limit SAMPLES WARMUPS SAMPLE_SECONDS BYTES [BYTES ...]
   Prints a line a size: bytes median_seconds, of the slower thread of each sample. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static _Alignas(128) struct { _Alignas(128) atomic_int epoch; } flags[2];
static float *in[2], *out[2];
static double *seconds[2];
static int argument_count, samples, warmups;
static double sample_seconds;
static char **arguments;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void meet(int thread, int epoch) {
  atomic_store_explicit(&flags[thread].epoch, epoch, memory_order_release);
  while (atomic_load_explicit(&flags[1 - thread].epoch, memory_order_acquire) < epoch);
}

static void add(const float *restrict a, const float *restrict b, float *restrict x, float *restrict y, long count) {
  for (long i = 0; i < count; i++) x[i] = y[i] = a[i] + b[i];
}

static void *run(void *argument) {
  int thread = (long)argument, epoch = 0;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(thread, &core);
  pthread_setaffinity_np(pthread_self(), sizeof core, &core);
  for (int i = 4; i < argument_count; i++) {
    long bytes = atol(arguments[i]), count = bytes / 4, half = count / 2;
    long from = thread ? half : 0, length = thread ? count - half : half;
    int batch = sample_seconds / (5e-7 + bytes / 4e9) + 0.5;
    batch = batch < 1 ? 1 : batch > 2000 ? 2000 : batch;
    for (int s = -warmups; s < samples; s++) {
      meet(thread, ++epoch);
      double start = now();
      for (int k = 0; k < batch; k++) {
        meet(thread, ++epoch);
        add(in[0] + from, in[1] + from, out[0] + from, out[1] + from, length);
        meet(thread, ++epoch);
      }
      if (s >= 0) seconds[thread][s] = (now() - start) / batch;
    }
    meet(thread, ++epoch);
    if (thread == 0) {
      for (int s = 0; s < samples; s++) if (seconds[1][s] > seconds[0][s]) seconds[0][s] = seconds[1][s];
      qsort(seconds[0], samples, sizeof(double), ascending);
      printf("%ld %.9f\n", bytes, seconds[0][samples / 2]);
    }
    meet(thread, ++epoch);
  }
  return NULL;
}

int main(int argc, char **argv) {
  argument_count = argc;
  arguments = argv;
  samples = atoi(argv[1]);
  warmups = atoi(argv[2]);
  sample_seconds = atof(argv[3]);
  size_t most = 4096;
  for (int i = 4; i < argc; i++) if ((size_t)atol(argv[i]) > most) most = atol(argv[i]);
  size_t room = (most + 4096 + 0x1fffff) & ~(size_t)0x1fffff;
  for (int t = 0; t < 2; t++) {
    seconds[t] = malloc(samples * sizeof(double));
    in[t] = aligned_alloc(0x200000, room);
    out[t] = aligned_alloc(0x200000, room);
    madvise(in[t], room, MADV_HUGEPAGE);
    madvise(out[t], room, MADV_HUGEPAGE);
    for (size_t i = 0; i < room / 4; i++) in[t][i] = out[t][i] = 1;
  }
  pthread_t other;
  pthread_create(&other, NULL, run, (void *)1);
  run((void *)0);
  pthread_join(other, NULL);
  return 0;
}
