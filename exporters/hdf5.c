#include "exporters/hdf5.h"

#ifdef SB_HAS_HDF5 /* built where libhdf5 is (CMakeLists.txt) */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

enum {
    DEPTH = 4,
    RANK = SB_ARRAY_RANK + 1,
    GROWTH = 1 << 20,
    SMALL = 1024 /* smaller arrays (in bytes) are not compressed */
};

struct sb_hdf5 {
    hid_t file, groups[DEPTH]; /* the file and the open groups, of which the first is the root */
    int depth;
    int level;
    hid_t untimed_group, boolean;
};

static bool refuse(const char *what, sb_error *error) {
    return sb_fail(error, SB_MEMORY, "libhdf5 cannot make %s: is there memory for a whole shard?", what);
}

/* Returns `made` if it was set up correctly. Otherwise closes it, so that no file is written with wrong settings. */
static hid_t checked(bool ok, hid_t made, herr_t (*close)(hid_t)) {
    if (ok) return made;
    close(made);
    return H5I_INVALID_HID;
}

/* ---- The file ---- */

/* Makes the type that NumPy and h5py use for booleans. */
static hid_t make_boolean(void) {
    const int8_t no = 0, yes = 1;
    const hid_t type = H5Tenum_create(H5T_STD_I8LE);
    return checked(H5Tenum_insert(type, "FALSE", &no) >= 0 && H5Tenum_insert(type, "TRUE", &yes) >= 0, type, H5Tclose);
}

static hid_t without_times(hid_t class) {
    const hid_t properties = H5Pcreate(class);
    return checked(H5Pset_obj_track_times(properties, false) >= 0, properties, H5Pclose);
}

/* Makes a file in memory. Files that are open at the same time need different names, which appear nowhere else. The
 * file's version is the oldest: in newer ones libhdf5 writes times that cannot be turned off, and flags that
 * H5Fget_file_image clears without updating their checksum. */
static hid_t make_file(const sb_hdf5 *hdf5) {
    char name[32];
    snprintf(name, sizeof name, "%p", (const void *)hdf5);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = without_times(H5P_FILE_CREATE);
    const bool ready = access >= 0 && creation >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0 &&
                       H5Pset_istore_k(creation, 1) >= 0; /* an array has one chunk */
    const hid_t file = ready ? H5Fcreate(name, H5F_ACC_TRUNC, creation, access) : H5I_INVALID_HID;
    H5Pclose(access), H5Pclose(creation);
    return file;
}

sb_hdf5 *sb_hdf5_make(int level, sb_error *error) {
    sb_hdf5 *hdf5 = calloc(1, sizeof *hdf5);
    if (!hdf5) return refuse("a file", error), NULL;
    H5dont_atexit(); /* its exit handler crashes after memory ran out; we close whatever we open */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* libhdf5 prints no errors in this thread */
    hdf5->level = level;
    hdf5->boolean = make_boolean();
    hdf5->untimed_group = without_times(H5P_GROUP_CREATE);
    hdf5->file = hdf5->groups[0] = make_file(hdf5);
    if (hdf5->file >= 0 && hdf5->boolean >= 0 && hdf5->untimed_group >= 0) return hdf5;
    sb_hdf5_free(hdf5);
    return refuse("a file", error), NULL;
}

void sb_hdf5_free(sb_hdf5 *hdf5) {
    if (!hdf5) return;
    while (hdf5->depth > 0) H5Gclose(hdf5->groups[hdf5->depth--]);
    if (hdf5->file >= 0) H5Fclose(hdf5->file);
    H5Pclose(hdf5->untimed_group), H5Tclose(hdf5->boolean);
    free(hdf5);
}

bool sb_hdf5_put(sb_hdf5 *hdf5, sb_out *out, sb_error *error) {
    const bool flushed = H5Fflush(hdf5->file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t size = flushed ? H5Fget_file_image(hdf5->file, NULL, 0) : -1;
    char *room = size > 0 ? sb_out_reserve(out, (size_t)size) : NULL;
    if (!room || H5Fget_file_image(hdf5->file, room, (size_t)size) != size) return refuse("the file's bytes", error);
    sb_out_advance(out, (size_t)size);
    return true;
}

/* ---- What is in it ---- */

bool sb_hdf5_enter(sb_hdf5 *hdf5, const char *name, sb_error *error) {
    if (hdf5->depth + 1 == DEPTH) return refuse("so many groups in one another", error);
    const hid_t group = H5Gcreate2(hdf5->groups[hdf5->depth], name, H5P_DEFAULT, hdf5->untimed_group, H5P_DEFAULT);
    if (group < 0) return refuse("a group", error);
    hdf5->groups[++hdf5->depth] = group;
    return true;
}

bool sb_hdf5_leave(sb_hdf5 *hdf5, sb_error *error) {
    return H5Gclose(hdf5->groups[hdf5->depth--]) >= 0 || refuse("a group", error);
}

/* Returns the type of an array's items as a new reference; the caller closes it. */
static hid_t type_of(const sb_hdf5 *hdf5, sb_scalar type, size_t text) {
    const hid_t types[SB_N_SCALARS] = {
        [SB_BOOL] = hdf5->boolean,  [SB_CHAR] = H5T_C_S1,        [SB_INT8] = H5T_STD_I8LE,
        [SB_UINT8] = H5T_STD_U8LE,  [SB_INT16] = H5T_STD_I16LE,  [SB_INT32] = H5T_STD_I32LE,
        [SB_INT64] = H5T_STD_I64LE, [SB_UINT64] = H5T_STD_U64LE, [SB_DOUBLE] = H5T_IEEE_F64LE};
    const hid_t made = H5Tcopy(types[type]);
    return checked(type != SB_CHAR ||
                       (H5Tset_size(made, text ? text : 1) >= 0 && H5Tset_strpad(made, H5T_STR_NULLPAD) >= 0),
                   made, H5Tclose);
}

static size_t bytes_of(sb_scalar type, int rank, const uint64_t *shape) {
    size_t bytes = sb_scalar_size(type);
    for (int i = 0; i < rank; i++) bytes *= (size_t)shape[i];
    return bytes;
}

/* Returns how an array is laid out. Large arrays are compressed, each in one chunk. */
static hid_t layout_of(const sb_hdf5 *hdf5, size_t bytes, int rank, const hsize_t *shape) {
    const hid_t properties = without_times(H5P_DATASET_CREATE);
    return checked(bytes < SMALL || (H5Pset_chunk(properties, rank, shape) >= 0 &&
                                     H5Pset_deflate(properties, (unsigned)hdf5->level) >= 0),
                   properties, H5Pclose);
}

bool sb_hdf5_array(sb_hdf5 *hdf5, const char *name, sb_scalar type, int rank, const uint64_t *shape,
                   const void *numbers, sb_error *error) {
    hsize_t extent[RANK];
    const int inner = type == SB_CHAR ? rank - 1 : rank;
    for (int i = 0; i < inner; i++) extent[i] = shape[i];
    const hid_t element = type_of(hdf5, type, type == SB_CHAR ? (size_t)shape[inner] : 0);
    const hid_t space = H5Screate_simple(inner, extent, NULL);
    const hid_t layout = layout_of(hdf5, bytes_of(type, rank, shape), inner, extent);
    const bool ready = element >= 0 && space >= 0 && layout >= 0;
    const hid_t array = !ready ? H5I_INVALID_HID
                               : H5Dcreate2(hdf5->groups[hdf5->depth], name, element, space, H5P_DEFAULT, layout,
                                            H5P_DEFAULT);
    bool written = array >= 0 && H5Dwrite(array, element, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
    if (array >= 0) written &= H5Dclose(array) >= 0; /* compression happens here */
    H5Pclose(layout), H5Sclose(space), H5Tclose(element);
    return written || refuse("an array", error);
}

bool sb_hdf5_attribute(sb_hdf5 *hdf5, const char *name, sb_scalar type, const void *value, sb_error *error) {
    const hid_t element = type_of(hdf5, type, type == SB_CHAR ? strlen(value) : 0), space = H5Screate(H5S_SCALAR);
    const bool ready = element >= 0 && space >= 0;
    const hid_t attribute = !ready
                                ? H5I_INVALID_HID
                                : H5Acreate2(hdf5->groups[hdf5->depth], name, element, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, element, value) >= 0;
    if (attribute >= 0) written &= H5Aclose(attribute) >= 0;
    H5Sclose(space), H5Tclose(element);
    return written || refuse("an attribute", error);
}
#endif
