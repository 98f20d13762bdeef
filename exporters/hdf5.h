/* A small HDF5 file that grows in memory, with Minari's layout: one group per episode, with arrays and attributes. The
 * same calls give the same bytes with the same version of libhdf5, because no object has a time. */
#ifndef SB_EXPORTERS_HDF5_H
#define SB_EXPORTERS_HDF5_H

#include "engine/environment.h"

typedef struct sb_hdf5 sb_hdf5;

/* Makes a file; NULL: out of memory. `level` is the compression level, 1 to 9. */
sb_hdf5 *sb_hdf5_make(int level, sb_error *error);
void sb_hdf5_free(sb_hdf5 *hdf5);

/* Enters a new group inside the current one; sb_hdf5_leave goes back. */
bool sb_hdf5_enter(sb_hdf5 *hdf5, const char *name, sb_error *error);
bool sb_hdf5_leave(sb_hdf5 *hdf5, sb_error *error);

/* Adds an array to the current group. For SB_CHAR the last dimension is the length of the texts. */
bool sb_hdf5_array(sb_hdf5 *hdf5, const char *name, sb_scalar type, int rank, const uint64_t *shape,
                   const void *numbers, sb_error *error);
/* Adds an attribute to the current group: one number, or for SB_CHAR the text up to its NUL. */
bool sb_hdf5_attribute(sb_hdf5 *hdf5, const char *name, sb_scalar type, const void *value, sb_error *error);

/* Appends the file's bytes. Nothing may be added afterwards. */
bool sb_hdf5_put(sb_hdf5 *hdf5, sb_out *out, sb_error *error);

#endif
