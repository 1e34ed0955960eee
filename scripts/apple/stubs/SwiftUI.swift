// The part of SwiftUI that the examples use.
@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("a stub") } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError("a stub") } }

public struct TupleView<each Content: View>: View { public var body: Never { fatalError("a stub") } }

@resultBuilder public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
    fatalError("a stub")
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct List<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}
public struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public var body: Never { fatalError("a stub") }
}
public struct VStack<Content: View>: View {
  public init(alignment: HorizontalAlignment = .center, @ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}
public struct ProgressView: View {
  public init() {}
  public var body: Never { fatalError("a stub") }
}
public struct Text: View {
  public init<S: StringProtocol>(_ content: S) {}
  public func font(_ font: Font?) -> Text { self }
  public var body: Never { fatalError("a stub") }
}
public struct Button: View {
  public init<S: StringProtocol>(_ title: S, systemImage: String, action: @escaping @MainActor () -> Void) {}
  public var body: Never { fatalError("a stub") }
}
public struct Font: Sendable { public static let headline = Font() }
public struct HorizontalAlignment: Sendable { public static let leading = Self(), center = Self() }
public struct Alignment: Sendable { public static let center = Self(), bottom = Self() }

extension View {
  public func overlay<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View { self }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func padding() -> some View { self }
}
