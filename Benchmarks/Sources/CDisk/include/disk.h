/// Rows of a file of SQLite, by its C interface alone: what the cache on disk is measured against.

/// Keeps all rows of a cache's file in memory. Returns how many bytes they take.
long disk_load(const char *path);
/// Writes these rows to a new file, as the cache does: the same table, one transaction. Returns 0 if that succeeds.
int disk_write(const char *path);
/// Reads each of these rows by its key. Returns how many bytes were read.
long disk_read(const char *path);
/// Reads the rows `User:0`, `User:step` and so on. Returns how many bytes were read.
long disk_read_some(const char *path, int count, int step);
