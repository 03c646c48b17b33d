// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libstdc++'s configuration without threads: the cores have none.
#pragma once
#include_next <bits/c++config.h>
#undef _GLIBCXX_HAS_GTHREADS
#undef _GLIBCXX_HOSTED_THREADS
#undef _GLIBCXX_HAVE_LINUX_FUTEX
