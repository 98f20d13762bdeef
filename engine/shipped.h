/* JSON Schemas of the modes whose observations are documents (docs/formats.md); cmake/embed.cmake makes these arrays
 * from the files. */
#ifndef SB_ENGINE_SHIPPED_H
#define SB_ENGINE_SHIPPED_H

extern const unsigned char sb_shipped_structured_schema[], sb_shipped_state_schema[], sb_shipped_full_schema[],
    sb_shipped_view3_schema[], sb_shipped_view5_schema[], sb_shipped_view7_schema[], sb_shipped_view9_schema[];

#define SB_SCHEMA(mode) (const char *)sb_shipped_##mode##_schema

#endif
