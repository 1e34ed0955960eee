import Foundation
import Waiting

/// Certificates that are made for one run of the tests, by the program `openssl`, and removed with this object.
final class Certificates: Sendable {
  static let shared = Task { try await Certificates() }

  private let folder: URL

  private init() async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for authority in ["ca", "other-ca"] {
      try await openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
        path("\(authority).key"), "-out", path("\(authority).pem"), "-days", "30", "-subj", "/CN=\(authority)")
    }
    try await sign("server", by: "ca", names: "DNS:localhost,IP:127.0.0.1")
    try await sign("elsewhere", by: "ca", names: "DNS:elsewhere.example")
    try await sign("expired", by: "ca", names: "DNS:localhost,IP:127.0.0.1", days: -1)
    try await sign("client", by: "ca", names: "DNS:client")
    try await sign("stranger", by: "other-ca", names: "DNS:client")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The file `<name>.pem` has the certificate, `<name>.key` the key.
  func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  private func sign(_ name: String, by authority: String, names: String, days: Int = 30) async throws {
    try Data("subjectAltName=\(names)\n".utf8).write(to: URL(fileURLWithPath: path("\(name).names")))
    try await openssl(
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path("\(name).key"),
      "-out", path("\(name).request"), "-subj", "/CN=\(name)")
    try await openssl(
      "x509", "-req", "-in", path("\(name).request"), "-CA", path("\(authority).pem"), "-CAkey",
      path("\(authority).key"), "-CAcreateserial", "-days", "\(days)", "-extfile", path("\(name).names"), "-out",
      path("\(name).pem"))
  }

  private func openssl(_ arguments: String...) async throws {
    let outcome = try await Child(URL(fileURLWithPath: "/usr/bin/env"), ["openssl"] + arguments).ended()
    guard outcome.status == 0 else {
      throw Failure(description: "openssl \(arguments.joined(separator: " ")): \(outcome.errors)")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
