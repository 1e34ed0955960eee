import Foundation
import Testing
import Waiting

/// Shows which calls of the system a process makes.
enum Strace {
  private static let path = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Whether it is there, and may look at other processes.
  static func isThere() async -> Bool {
    guard let path else { return false }
    let child = try? Child(URL(fileURLWithPath: path), ["-o", "/dev/null", "/bin/true"])
    return (try? await child?.ended().status) == 0
  }

  static func command(writingTo file: URL) -> [String] {
    [
      path ?? "strace", "-f", "-y", "-s", "4096", "-o", file.path, "-e",
      "trace=fsync,fdatasync,sendto,sendmsg,write,writev,pwrite64",
    ]
  }

  /// Looks whether each mutation was written to the file of the outbox, and that synchronized, before it went to a socket.
  ///
  /// In the file the variables are in base64, and in the request they are JSON.
  static func check(_ trace: URL, outbox: String) throws {
    let mutations = (1...400).map { number in
      let text = #""text":"0.\#(number)""#
      return (number: number, stored: Data("{\(text)}".utf8).base64EncodedString(), sent: #"\"text\":\"0.\#(number)\""#)
    }
    var written: Set<Int> = [], synchronized: Set<Int> = [], sent: Set<Int> = []
    for line in String(decoding: try Data(contentsOf: trace), as: UTF8.self).split(separator: "\n") {
      if line.contains(outbox) {
        if line.contains("fsync(") || line.contains("fdatasync(") {
          synchronized.formUnion(written)
        } else {
          for mutation in mutations where line.contains(mutation.stored) { written.insert(mutation.number) }
        }
      } else if line.contains("socket:") || line.contains("TCP:") {
        for mutation in mutations where line.contains(mutation.sent) {
          sent.insert(mutation.number)
          #expect(
            synchronized.contains(mutation.number), "mutation \(mutation.number) was sent before it was on the disk")
        }
      }
    }
    #expect(sent.count == 12, "only \(sent.count) were seen to be sent, \(synchronized.count) to be written")
  }
}
