// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libstdc++'s host configuration expects of glibc, for picolibc.
#pragma once
#include <sys/features.h>
#ifndef __GLIBC_PREREQ
#define __GLIBC_PREREQ(major, minor) 0
#endif
