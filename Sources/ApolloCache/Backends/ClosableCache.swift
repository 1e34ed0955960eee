/// A backend with a file that another backend can open once it is closed.
package protocol ClosableCache: NormalizedCache {
  /// Writes what waits, and closes the file.
  func close() async throws
}
