/* A shared object that is no plugin. */
int nothing(void);
int nothing(void) { return 0; }
