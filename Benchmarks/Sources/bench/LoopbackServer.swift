import Foundation

/// An HTTP server for measurements: it answers every request with the same bytes, or hangs up.
///
/// A thread a connection, and no more than that, so that it costs the same for every client.
final class LoopbackServer: @unchecked Sendable {
  // What changes is behind `lock`.

  private let listener: Int32
  private let response: [UInt8]
  /// So many of the requests, in hundredths, are answered by hanging up.
  private let dropped: Int
  private let lock = NSLock()
  private var requests = 0
  private var connections = 0

  let port: Int

  /// How many connections are open.
  var connectionCount: Int { lock.withLock { connections } }
  var requestCount: Int { lock.withLock { requests } }

  init(body: [UInt8], dropped: Int = 0) {
    response =
      Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
    self.dropped = dropped
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1024) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    precondition(bound, "no socket on the loopback interface")
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/graphql")! }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func accept() {
    while true {
      #if canImport(Glibc)
        let connection = Glibc.accept(listener, nil, nil)
      #else
        let connection = Darwin.accept(listener, nil, nil)
      #endif
      guard connection >= 0 else { return }
      var yes: Int32 = 1
      setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      lock.withLock { connections += 1 }
      Thread.detachNewThread { [self] in
        serve(connection)
        close(connection)
        lock.withLock { connections -= 1 }
      }
    }
  }

  private func serve(_ connection: Int32) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      received += buffer[..<count]
      while let end = Self.endOfRequest(received) {
        received.removeFirst(end)
        let number = lock.withLock {
          requests += 1
          return requests
        }
        if dropped > 0, number % (100 / dropped) == 0 { return }
        #if canImport(Glibc)
          guard send(connection, response, response.count, Int32(MSG_NOSIGNAL)) == response.count else {
            return
          }
        #else
          guard send(connection, response, response.count, 0) == response.count else { return }
        #endif
      }
    }
  }

  /// Where the first request ends, if all of it has come. (In one pass: what the server costs should not show.)
  private static func endOfRequest(_ bytes: [UInt8]) -> Int? {
    var line = 0, length = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
      if index - line <= 1 {
        let end = index + 1 + length
        return bytes.count >= end ? end : nil
      }
      length = contentLength(bytes[line..<index]) ?? length
      line = index + 1
    }
    return nil
  }

  private static let lengthField = Array("content-length:".utf8)

  private static func contentLength(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.count > lengthField.count, zip(line, lengthField).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else {
      return nil
    }
    return line.dropFirst(lengthField.count).reduce(0) { number, byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? number * 10 + Int(byte - UInt8(ascii: "0")) : number
    }
  }
}
