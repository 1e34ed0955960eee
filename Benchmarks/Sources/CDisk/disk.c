#include "disk.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  void *key, *fields;
  int key_size, fields_size;
};

static struct row *rows;
static int row_count;

static void *copy(sqlite3_stmt *statement, int column, int *size) {
  *size = sqlite3_column_bytes(statement, column);
  void *bytes = malloc(*size + 1);
  if (*size > 0) memcpy(bytes, sqlite3_column_blob(statement, column), *size);
  return bytes;
}

long disk_load(const char *path) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  long size = 0;
  row_count = 0;
  if (sqlite3_open(path, &database) != SQLITE_OK) return -1;
  if (sqlite3_prepare_v2(database, "SELECT key, fields FROM records ORDER BY id", -1, &statement, NULL) != SQLITE_OK)
    return -1;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    rows = realloc(rows, sizeof(struct row) * (row_count + 1));
    struct row *row = &rows[row_count++];
    row->key = copy(statement, 0, &row->key_size);
    row->fields = copy(statement, 1, &row->fields_size);
    size += row->key_size + row->fields_size;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return size;
}

int disk_write(const char *path) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  if (sqlite3_open(path, &database) != SQLITE_OK) return 1;
  const char *schema =
      "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE;"
      "CREATE TABLE records(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, fields BLOB NOT NULL,"
      "written INTEGER NOT NULL, used INTEGER NOT NULL);"
      "CREATE INDEX records_used ON records(used);";
  if (sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK) return 2;
  const char *insert =
      "INSERT INTO records(key, fields, written, used) VALUES(?, ?, 1, 1)"
      "ON CONFLICT(key) DO UPDATE SET fields = excluded.fields";
  if (sqlite3_prepare_v2(database, insert, -1, &statement, NULL) != SQLITE_OK) return 3;
  for (int i = 0; i < row_count; i++) {
    sqlite3_bind_blob(statement, 1, rows[i].key, rows[i].key_size, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 2, rows[i].fields, rows[i].fields_size, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE) return 4;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  int status = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(database);
  return status;
}

long disk_read(const char *path) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  long size = 0;
  if (sqlite3_open(path, &database) != SQLITE_OK) return -1;
  const char *select = "SELECT fields FROM records WHERE key = ?";
  if (sqlite3_prepare_v2(database, select, -1, &statement, NULL) != SQLITE_OK) return -1;
  for (int i = 0; i < row_count; i++) {
    sqlite3_bind_blob(statement, 1, rows[i].key, rows[i].key_size, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char *bytes = sqlite3_column_blob(statement, 0);
      int count = sqlite3_column_bytes(statement, 0);
      for (int j = 0; j < count; j++) size += bytes[j] > 0;
    }
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return size;
}

long disk_read_some(const char *path, int count, int step) {
  sqlite3 *database;
  sqlite3_stmt *statement;
  long size = 0;
  if (sqlite3_open(path, &database) != SQLITE_OK) return -1;
  const char *select = "SELECT fields FROM records WHERE key = ?";
  if (sqlite3_prepare_v2(database, select, -1, &statement, NULL) != SQLITE_OK) return -1;
  for (int i = 0; i < count; i++) {
    char key[32];
    int length = snprintf(key, sizeof key, "User:%d", i * step);
    sqlite3_bind_blob(statement, 1, key, length, SQLITE_TRANSIENT);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      const unsigned char *bytes = sqlite3_column_blob(statement, 0);
      int count = sqlite3_column_bytes(statement, 0);
      for (int j = 0; j < count; j++) size += bytes[j] > 0;
    }
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return size;
}
