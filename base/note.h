/* Whom to tell what a user should know while long work goes on. */
#ifndef SB_BASE_NOTE_H
#define SB_BASE_NOTE_H

/* `text` is a sentence without a full stop. */
typedef void sb_note(void *context, const char *text);

#endif
