// Foundation of Linux passes its C library on under this name, where Apple's passes on Darwin. Beside the functions of C
// both have what stands here.
@_exported import Darwin
@_exported import SwiftGlibc

public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { fatalError("a stub") }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { fatalError("a stub") }

public func ioctl(_ file: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 { fatalError("a stub") }
public var TIOCGWINSZ: UInt { 0x4008_7468 }

public enum POSIXErrorCode: Int32, Sendable {
  case EPERM = 1
  case ENOENT = 2
  case EIO = 5
  case EACCES = 13
  case EEXIST = 17
  case ENOSPC = 28
  case EMSGSIZE = 40
}
