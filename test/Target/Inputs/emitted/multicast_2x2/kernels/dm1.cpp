// Program multicast_2x2: dm1 (RISCV_0) on NoC 1 of every core. Written by Drawloom.
#include "api/dataflow/dataflow_api.h"

constexpr uint32_t cb_b = 1; // 2 tiles of bf16
constexpr uint32_t cb_c = 2; // 1 tile of bf16
constexpr uint32_t sem_b_free = 2;
constexpr uint32_t sem_b_full = 3;

// This core's instance of a semaphore.
static volatile tt_l1_ptr uint32_t *counter(uint32_t semaphore) {
  return (volatile tt_l1_ptr uint32_t *)get_semaphore(semaphore);
}

// `address` in the L1 of core (x, y). The host tells where the network finds
// columns and rows of cores.
static uint64_t core(int32_t x, int32_t y, uint32_t address) {
  return get_noc_addr(get_common_arg_val<uint32_t>(3 + x),
                      get_common_arg_val<uint32_t>(5 + y), address);
}

// `address` in the L1 of all cores from (x0, y0) to (x1, y1). Network 1
// runs the other way: its rectangles begin at the bottom right.
static uint64_t rectangle(int32_t x0, int32_t y0, int32_t x1, int32_t y1, uint32_t address) {
  const uint32_t left = get_common_arg_val<uint32_t>(3 + x0);
  const uint32_t top = get_common_arg_val<uint32_t>(5 + y0);
  const uint32_t right = get_common_arg_val<uint32_t>(3 + x1);
  const uint32_t bottom = get_common_arg_val<uint32_t>(5 + y1);
  return get_noc_multicast_addr(right, bottom, left, top, address);
}

static bool holdsThisCore(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const int32_t x = get_arg_val<uint32_t>(0);
  const int32_t y = get_arg_val<uint32_t>(1);
  return x0 <= x && x <= x1 && y0 <= y && y <= y1;
}

// Sends bytes to the same address of `receivers` other cores of a rectangle. A
// sender inside takes the loopback form and is sent what it has already: the
// plain form may leave it out, but simulators of the chips then never finish.
static void multicast(uint32_t from, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                      uint32_t bytes, uint32_t receivers) {
  const uint64_t to = rectangle(x0, y0, x1, y1, from);
  if (holdsThisCore(x0, y0, x1, y1))
    noc_async_write_multicast_loopback_src(from, to, bytes, receivers + 1);
  else
    noc_async_write_multicast(from, to, bytes, receivers);
}

// The same for the value of a semaphore.
static void publish(uint32_t semaphore, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                    uint32_t receivers) {
  const uint32_t from = get_semaphore(semaphore);
  const uint64_t to = rectangle(x0, y0, x1, y1, from);
  if (holdsThisCore(x0, y0, x1, y1))
    noc_semaphore_set_multicast_loopback_src(from, to, receivers + 1);
  else
    noc_semaphore_set_multicast(from, to, receivers);
}

void kernel_main() {
  const int32_t x = get_arg_val<uint32_t>(0);
  const int32_t y = get_arg_val<uint32_t>(1);
  constexpr auto b_args = TensorAccessorArgs<0>();
  const auto b = TensorAccessor(b_args, get_common_arg_val<uint32_t>(1));
  constexpr auto c_args = TensorAccessorArgs<b_args.next_compile_time_args_offset()>();
  const auto c = TensorAccessor(c_args, get_common_arg_val<uint32_t>(2));
  for (int32_t i = 0; i < 2; ++i) {
    const int32_t round = i + 1;
    cb_reserve_back(cb_b, 1);
    if (y == 0) {
      noc_async_read_page(2 * i + x, b, get_write_ptr(cb_b));
      noc_async_read_barrier();
      noc_semaphore_wait_min(counter(sem_b_free), round);
      multicast(get_write_ptr(cb_b), x, 1, x, 1, get_tile_size(cb_b), 1);
      noc_semaphore_set(counter(sem_b_full), round);
      publish(sem_b_full, x, 1, x, 1, 1);
      noc_async_write_barrier();
    } else {
      noc_semaphore_inc(core(x, 0, get_semaphore(sem_b_free)), 1);
      noc_semaphore_wait_min(counter(sem_b_full), round);
    }
    cb_push_back(cb_b, 1);
  }
  cb_wait_front(cb_c, 1);
  noc_async_write_page(2 * y + x, c, get_read_ptr(cb_c));
  noc_async_write_barrier();
  cb_pop_front(cb_c, 1);
  noc_async_atomic_barrier();
}
