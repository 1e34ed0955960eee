// The part of SwiftUI that ApolloUI and the examples use, with Apple's isolation and availability.
import Observation

@MainActor @preconcurrency public protocol View {
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
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<True: View, False: View>(first: True) -> _ConditionalContent<True, False> {
    fatalError("a stub")
  }
  public static func buildEither<True: View, False: View>(second: False) -> _ConditionalContent<True, False> {
    fatalError("a stub")
  }
}
public struct EmptyView: View {
  public init() {}
  public var body: Never { fatalError("a stub") }
}
public struct _ConditionalContent<True: View, False: View>: View { public var body: Never { fatalError("a stub") } }

// MARK: - State and environment

public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }

@propertyWrapper public struct State<Value>: DynamicProperty {
  private let value: Value
  public init(wrappedValue value: Value) { self.value = value }
  public init(initialValue value: Value) { self.value = value }
  public var wrappedValue: Value {
    get { value }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError("a stub") }
}
extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError("a stub") }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError("a stub")
  }
}
extension Binding: @unchecked Sendable where Value: Sendable {}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public init(wrappedValue: Value) where Value: Observable { self.wrappedValue = wrappedValue }
  public var projectedValue: Bindable<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>) -> Binding<Subject>
  where Value: AnyObject { fatalError("a stub") }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError("a stub") }
}
extension Environment: Sendable where Value: Sendable {}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}
public struct EnvironmentValues {
  public init() {}
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { K.defaultValue }
    set {}
  }
}

@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>
  @ViewBuilder func body(content: Content) -> Body
}
public struct _ViewModifier_Content<Modifier: ViewModifier>: View { public var body: Never { fatalError("a stub") } }
public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  public var body: Never { fatalError("a stub") }
}

@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder static var previews: Previews { get }
}

// MARK: - Apps

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}
extension App { public static func main() {} }
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}

// MARK: - Views

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
public struct HStack<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}
public struct Spacer: View {
  public init() {}
  public var body: Never { fatalError("a stub") }
}
public struct Label: View {
  public init<S: StringProtocol>(_ title: S, systemImage name: String) {}
  public var body: Never { fatalError("a stub") }
}
public struct LabeledContent: View {
  public init<S: StringProtocol>(_ title: S, value: S) {}
  public var body: Never { fatalError("a stub") }
}
public struct ContentUnavailableView: View {
  public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) {}
  public var body: Never { fatalError("a stub") }
}
public struct NavigationStack<Content: View>: View {
  public init(@ViewBuilder root: () -> Content) {}
  public var body: Never { fatalError("a stub") }
}
public struct NavigationLink<Label: View>: View {
  public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {}
  public var body: Never { fatalError("a stub") }
}
public struct Font: Sendable { public static let headline = Font(), subheadline = Font() }
public protocol ShapeStyle: Sendable {}
public struct HierarchicalShapeStyle: ShapeStyle {}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == HierarchicalShapeStyle { public static var secondary: Self { Self() } }
extension ShapeStyle where Self == Material { public static var bar: Self { Self() } }
public protocol LabelStyle {}
public struct IconOnlyLabelStyle: LabelStyle {}
extension LabelStyle where Self == IconOnlyLabelStyle { public static var iconOnly: Self { Self() } }
public protocol PrimitiveButtonStyle {}
public struct BorderlessButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle { public static var borderless: Self { Self() } }
public enum VerticalEdge: Sendable { case top, bottom }
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
  public func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View { self }
  public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> { fatalError("a stub") }
  public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  public func overlay<Content: View>(@ViewBuilder content: () -> Content) -> some View { self }
  public func searchable<S: StringProtocol>(text: Binding<String>, prompt: S) -> some View { self }
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
  public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View { self }
  public func safeAreaInset<V: View>(edge: VerticalEdge, @ViewBuilder content: () -> V) -> some View { self }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
  public func background<S: ShapeStyle>(_ style: S) -> some View { self }
  public func labelStyle<S: LabelStyle>(_ style: S) -> some View { self }
  public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
  public func disabled(_ isDisabled: Bool) -> some View { self }
  public func padding() -> some View { self }
}
