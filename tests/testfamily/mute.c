/* The oracles of a program that has none, as while a task is being written (tests/task_pages_test.py). */
#include "oracles/oracle.h"

const sb_oracle *const sb_oracles[] = {NULL};
