#include "exporters/image.h"

#include <gif_lib.h>
#include <stdlib.h>

#include "base/error.h"

enum { COLOURS_MAX = 256, DEPTH = 3 };

struct sb_gif {
    GifFileType *file;
    sb_out *out;
    int width, height, delay; /* delay in hundredths of a second */
    bool begun;
    uint8_t *before;  /* the last frame */
    GifByteType *row; /* one row of colour numbers */
};

/* The part of a frame that is written. */
typedef struct rectangle {
    int left, top, width, height;
} rectangle;

typedef struct colours {
    GifColorType of[COLOURS_MAX];
    int n;
} colours;

static int append(GifFileType *file, const GifByteType *bytes, int n) {
    const sb_gif *gif = file->UserData;
    sb_put(gif->out, (const char *)bytes, (size_t)n);
    return n;
}

static bool fail(const sb_gif *gif, sb_error *error) {
    const char *why = GifErrorString(gif->file->Error);
    return sb_fail(error, SB_INVALID, "giflib cannot write the film: %s", why ? why : "unknown reason");
}

/* ---- What has changed ---- */

static const uint8_t *pixel(const sb_gif *gif, const uint8_t *rgb, int x, int y) {
    return rgb + ((ptrdiff_t)y * gif->width + x) * DEPTH;
}

static bool differs(const sb_gif *gif, const uint8_t *rgb, int x, int y, int n) {
    return memcmp(pixel(gif, rgb, x, y), pixel(gif, gif->before, x, y), (size_t)(n * DEPTH)) != 0;
}

static bool column_differs(const sb_gif *gif, const uint8_t *rgb, int x, const rectangle *r) {
    for (int y = r->top; y < r->top + r->height; y++)
        if (differs(gif, rgb, x, y, 1)) return true;
    return false;
}

/* Returns the part of a frame that has changed. A frame must have a rectangle, so an equal one has a single pixel. */
static rectangle changed(const sb_gif *gif, const uint8_t *rgb) {
    rectangle r = {0, 0, gif->width, gif->height};
    if (!gif->begun) return r;
    for (; r.height > 1 && !differs(gif, rgb, 0, r.top, gif->width); r.height--) r.top++;
    for (; r.height > 1 && !differs(gif, rgb, 0, r.top + r.height - 1, gif->width);) r.height--;
    for (; r.width > 1 && !column_differs(gif, rgb, r.left, &r); r.width--) r.left++;
    for (; r.width > 1 && !column_differs(gif, rgb, r.left + r.width - 1, &r);) r.width--;
    return r;
}

/* ---- Colours ---- */

static int find(const colours *c, const uint8_t *rgb) {
    for (int i = 0; i < c->n; i++)
        if (c->of[i].Red == rgb[0] && c->of[i].Green == rgb[1] && c->of[i].Blue == rgb[2]) return i;
    return -1;
}

static bool collect(const sb_gif *gif, const uint8_t *rgb, const rectangle *r, colours *c, sb_error *error) {
    c->n = 0;
    for (int y = r->top; y < r->top + r->height; y++)
        for (int x = r->left; x < r->left + r->width; x++) {
            const uint8_t *at = pixel(gif, rgb, x, y);
            if (find(c, at) >= 0) continue;
            if (c->n == COLOURS_MAX)
                return sb_fail(error, SB_INVALID,
                               "a frame has more than %d colours, which a GIF cannot show: choose smaller tiles, or "
                               "write raw frames",
                               COLOURS_MAX);
            c->of[c->n++] = (GifColorType){at[0], at[1], at[2]};
        }
    return true;
}

/* Makes a map of the colours. Its size is a power of two. */
static ColorMapObject *map_of(const colours *c) {
    int n = 2;
    while (n < c->n) n *= 2;
    ColorMapObject *map = GifMakeMapObject(n, NULL);
    if (map) memcpy(map->Colors, c->of, sizeof *c->of * (size_t)c->n);
    return map;
}

/* ---- The file ---- */

/* The extension that makes players repeat the film for ever. */
static bool put_repeat(const sb_gif *gif, sb_error *error) {
    static const GifByteType name[] = "NETSCAPE2.0", times[] = {1, 0, 0};
    return (EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE) != GIF_ERROR &&
            EGifPutExtensionBlock(gif->file, sizeof name - 1, name) != GIF_ERROR &&
            EGifPutExtensionBlock(gif->file, sizeof times, times) != GIF_ERROR &&
            EGifPutExtensionTrailer(gif->file) != GIF_ERROR) ||
           fail(gif, error);
}

static bool begin(sb_gif *gif, sb_error *error) {
    int code;
    if (!gif->before || !gif->row || !(gif->file = EGifOpen(gif, append, &code)))
        return sb_fail(error, SB_MEMORY, "out of memory for a film");
    EGifSetGifVersion(gif->file, true);
    if (EGifPutScreenDesc(gif->file, gif->width, gif->height, 8, 0, NULL) == GIF_ERROR) return fail(gif, error);
    return put_repeat(gif, error);
}

sb_gif *sb_gif_make(sb_out *out, int width, int height, uint64_t delay, sb_error *error) {
    const size_t size = (size_t)width * (size_t)height * DEPTH;
    sb_gif *gif = calloc(1, sizeof *gif);
    if (!gif) return sb_fail(error, SB_MEMORY, "out of memory for a film"), NULL;
    *gif = (sb_gif){.out = out, .width = width, .height = height};
    gif->delay = delay < 655350 ? (int)((delay + 5) / 10) : 65535;
    gif->before = malloc(size), gif->row = malloc((size_t)width);
    if (begin(gif, error)) return gif;
    sb_gif_end(gif, false, error);
    return NULL;
}

static bool put_delay(const sb_gif *gif, sb_error *error) {
    const GraphicsControlBlock control = {
        .DisposalMode = DISPOSE_DO_NOT, .DelayTime = gif->delay, .TransparentColor = NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    const size_t n = EGifGCBToExtension(&control, bytes);
    return EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, (int)n, bytes) != GIF_ERROR || fail(gif, error);
}

static bool put_rows(const sb_gif *gif, const uint8_t *rgb, const rectangle *r, const colours *c, sb_error *error) {
    for (int y = r->top; y < r->top + r->height; y++) {
        for (int x = 0; x < r->width; x++) gif->row[x] = (GifByteType)find(c, pixel(gif, rgb, r->left + x, y));
        if (EGifPutLine(gif->file, gif->row, r->width) == GIF_ERROR) return fail(gif, error);
    }
    return true;
}

bool sb_gif_add(sb_gif *gif, const uint8_t *rgb, sb_error *error) {
    colours c;
    const rectangle r = changed(gif, rgb);
    if (!collect(gif, rgb, &r, &c, error) || !put_delay(gif, error)) return false;
    ColorMapObject *map = map_of(&c);
    if (!map) return sb_fail(error, SB_MEMORY, "out of memory for a film");
    const bool ok = EGifPutImageDesc(gif->file, r.left, r.top, r.width, r.height, false, map) != GIF_ERROR ||
                    fail(gif, error);
    GifFreeMapObject(map);
    memcpy(gif->before, rgb, (size_t)gif->width * (size_t)gif->height * DEPTH);
    gif->begun = true;
    return ok && put_rows(gif, rgb, &r, &c, error);
}

bool sb_gif_end(sb_gif *gif, bool ok, sb_error *error) {
    int code;
    if (!gif) return ok;
    const bool closed = !gif->file || EGifCloseFile(gif->file, &code) != GIF_ERROR;
    if (ok && !closed) ok = sb_fail(error, SB_INVALID, "giflib cannot end the film: %s", GifErrorString(code));
    if (ok && !sb_out_ok(gif->out)) ok = sb_fail(error, SB_MEMORY, "out of memory for a film");
    free(gif->before), free(gif->row), free(gif);
    return ok;
}
