/* The audit by replay (challenges 6). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/changing.h"

bool sb_autumn_audit_mfp(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error){(void)s;(void)c;(void)error;return true;}
bool sb_autumn_audit_planning(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error){(void)s;(void)c;(void)error;return true;}
bool sb_autumn_audit_change(sb_autumn_study *s, const sb_autumn_challenge *c, sb_error *error){(void)s;(void)c;(void)error;return true;}
