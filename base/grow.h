/* Arrays that grow. */
#ifndef SB_BASE_GROW_H
#define SB_BASE_GROW_H

#include <stdbool.h>
#include <stdlib.h>

/* Makes room for `need` items of `size` bytes in an array on the heap; false: out of memory, all stays as it was. */
static inline bool sb_make_room(void **array, size_t need, size_t *capacity, size_t size) {
    if (need <= *capacity) return true;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    while (wanted < need) wanted *= 2;
    void *const larger = realloc(*array, wanted * size);
    if (!larger) return false;
    *array = larger;
    *capacity = wanted;
    return true;
}

#define SB_GROW(array, need, capacity) sb_make_room((void **)&(array), (need), &(capacity), sizeof *(array))

#endif
