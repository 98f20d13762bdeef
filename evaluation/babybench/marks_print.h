/* Marks as a document and as a table. */
#ifndef SB_EVALUATION_BABYBENCH_MARKS_PRINT_H
#define SB_EVALUATION_BABYBENCH_MARKS_PRINT_H

#include "base/out.h"
#include "evaluation/babybench/marks.h"

/* Writes a JSON document; `rows` = false leaves out the single answers. */
bool sb_marks_print(const sb_marks *marks, bool rows, sb_out *out, sb_error *error);
/* Writes a table for people, with the first few reasons. */
bool sb_marks_tabulate(const sb_marks *marks, sb_out *out, sb_error *error);

#endif
