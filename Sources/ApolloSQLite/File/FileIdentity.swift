import Foundation

/// The device and the number of a file: another file at its place has another one.
struct FileIdentity: Equatable {
  private let device: Int64?
  private let number: UInt64?

  /// Finds out what identifies a file; nil if there is none.
  init?(_ file: URL) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return nil }
    device = attributes[.systemNumber] as? Int64
    number = attributes[.systemFileNumber] as? UInt64
  }
}
