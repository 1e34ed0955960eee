import Foundation

/// Certificates that are made for one run of the tests, by the program `openssl`, and removed with this object.
final class Certificates: Sendable {
  static let shared = Result { try Certificates() }

  private let folder: URL

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for authority in ["ca", "other-ca"] {
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
        path("\(authority).key"), "-out", path("\(authority).pem"), "-days", "30", "-subj", "/CN=\(authority)")
    }
    try sign("server", by: "ca", names: "DNS:localhost,IP:127.0.0.1")
    try sign("elsewhere", by: "ca", names: "DNS:elsewhere.example")
    try sign("expired", by: "ca", names: "DNS:localhost,IP:127.0.0.1", days: -1)
    try sign("client", by: "ca", names: "DNS:client")
    try sign("stranger", by: "other-ca", names: "DNS:client")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The file `<name>.pem` has the certificate, `<name>.key` the key.
  func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  private func sign(_ name: String, by authority: String, names: String, days: Int = 30) throws {
    try Data("subjectAltName=\(names)\n".utf8).write(to: URL(fileURLWithPath: path("\(name).names")))
    try openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path("\(name).key"),
      "-out", path("\(name).request"), "-subj", "/CN=\(name)")
    try openssl(
      "x509", "-req", "-in", path("\(name).request"), "-CA", path("\(authority).pem"), "-CAkey",
      path("\(authority).key"), "-CAcreateserial", "-days", "\(days)", "-extfile", path("\(name).names"), "-out",
      path("\(name).pem"))
  }

  private func openssl(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "openssl \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
