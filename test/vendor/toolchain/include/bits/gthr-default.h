// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libstdc++'s single-threaded model.
#include <bits/gthr-single.h>
