/* What a solver should know of a level, in words. */
#include "generators/babyai/levels.h"
#include "generators/babyai/rooms.h"

extern const unsigned char sb_shipped_babyai_text_common[];

/* Puts the text of a recipe with the level's number in place of `{n}`. */
static void put_recipe(const sb_babyai_line *line, sb_out *out) {
    const char *text = (const char *)line->text, *place;
    for (; (place = strstr(text, "{n}")); text = place + 3) {
        sb_put(out, text, (size_t)(place - text));
        sb_put_int(out, line->n);
    }
    sb_puts(out, text);
}

static void put_rooms(const sb_babyai_line *line, sb_out *out) {
    sb_putf(out, "- rooms: %d x %d of %d x %d cells, walls included", line->columns, line->rows, line->side,
            line->side);
    sb_puts(out, line->columns * line->rows > 1 ? "; neighbours share a wall\n" : "\n");
}

/* Names the verbs of a mission that is drawn. */
static void put_verbs(const sb_babyai_line *line, sb_out *out) {
    static const char *const verbs[] = {
        [SB_MG_GO_TO] = "go to", [SB_MG_PICK_UP] = "pick up", [SB_MG_OPEN] = "open", [SB_MG_PUT_NEXT] = "put next to"};
    sb_puts(out, "- the mission may say: ");
    for (int i = 0; i < line->n_verbs; i++) sb_putf(out, "%s%s", i ? ", " : "", verbs[line->verb + i]);
    sb_puts(out, "\n");
}

static void put_flag(sb_out *out, bool is_so, const char *words) {
    if (is_so) sb_putf(out, "- %s\n", words);
}

static void put_particulars(const sb_babyai_line *line, sb_out *out) {
    sb_puts(out, "\n## This level\n\n");
    put_rooms(line, out);
    if (line->n_verbs) put_verbs(line, out);
    put_flag(out, line->grey, "all other objects are grey");
    put_flag(out, line->open, "all doors are open at the start");
    put_flag(out, line->strict, "strict: a wrong thing fails the mission, and the episode ends with reward 0");
    put_flag(out, line->carrying, "the agent begins with the object to be moved in its hand");
    put_flag(out, line->red_blue, "the doors are red (first) and blue (second)");
    put_flag(out, line->compound,
             "the mission has one to four parts, joined by `and`, `then` or `after you`; an order has to be kept");
    put_flag(out, line->locations, "things may be described by where they are, seen from the agent's first place");
    put_flag(out, line->unblocking, "objects may block the way and have to be moved");
    put_flag(out, line->implicit_unlock && line->p_locked > 0,
             "what is asked for may be in the locked room; the mission does not mention the key");
    if (line->p_locked > 0) sb_putf(out, "- a room is locked in %.0f of 100 episodes\n", 100 * line->p_locked);
}

void sb_babyai_describe(const sb_task_info *task, sb_out *out) {
    const sb_babyai_line *line = (const sb_babyai_line *)task; /* levels.h: the info is its first member */
    put_recipe(line, out);
    put_particulars(line, out);
    sb_puts(out, "\n");
    sb_puts(out, (const char *)sb_shipped_babyai_text_common);
}
