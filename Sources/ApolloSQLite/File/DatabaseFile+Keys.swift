import Foundation

extension String {
  /// The bytes of a key, as the file has them.
  var databaseBytes: Data { Data(utf8) }
}
