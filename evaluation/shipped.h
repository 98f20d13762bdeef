/* Documents that the build embeds in the program (cmake/embed.cmake). */
#ifndef SB_EVALUATION_SHIPPED_H
#define SB_EVALUATION_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_baseline[];  /* evaluation/baseline.json: number 1, frozen */
extern const unsigned char sb_shipped_published[]; /* evaluation/published.json */
extern const unsigned char sb_shipped_elsewhere[]; /* evaluation/elsewhere.json */
extern const unsigned char sb_shipped_report_style[], sb_shipped_report_script[]; /* evaluation/report_page.css, .js */
/* The playground's files in web/playground/: page.css, the page's script and that of its workers, page.html. */
extern const unsigned char sb_shipped_playground_style[], sb_shipped_playground_script[],
    sb_shipped_playground_worker[], sb_shipped_playground_body[];
extern const size_t sb_shipped_playground_style_size, sb_shipped_playground_script_size,
    sb_shipped_playground_worker_size, sb_shipped_playground_body_size;
extern const size_t sb_shipped_baseline_size, sb_shipped_published_size, sb_shipped_elsewhere_size,
    sb_shipped_report_style_size, sb_shipped_report_script_size;

#endif
