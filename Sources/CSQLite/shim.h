#pragma once
#pragma clang module import SwiftGlibc  // its types stay its own: docs/architecture.md, Traps
#include <sqlite3.h>

// Macros and variadic functions, which Swift does not import.

/// What tells SQLite to copy bound text and bytes at once.
static inline sqlite3_destructor_type gliss_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Takes from SQL what could damage the file or run code: writing to the schema, double-quoted strings, extensions, and
/// functions called from the schema.
static inline int gliss_sqlite_defend(sqlite3 *database) {
  int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (code == SQLITE_OK)
    code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  if (code == SQLITE_OK)
    code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  return code;
}
