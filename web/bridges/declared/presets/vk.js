// VK Mini Apps, as in the app for iOS: a message handler for each method, and answers by an event.
// Source: VKCOM/vk-bridge, packages/core/src/bridge.ts (2227699), promisifySend.ts (90db045) and types/data.ts (1e31f42)
// Plays: a handler for each method; `request_id`; the event VKWebAppEvent on window with MethodResult or MethodFailed; events of native by a call
// Not played: which methods a version of the app has (options.methods); error_code 1 of an error that is a text is a guess; the page in an iframe of vk.com, Android's AndroidBridge
// Ran: @vkontakte/vk-bridge 2.15.11, built from source

import { dispatch, NativeCustomEvent, reportUncaught } from "../../../shim/builtins.js";
import { presets } from "../adapters.js";
import { inTurn } from "../guarded.js";
import { callPath, reasons } from "../shim.js";

const methods = `Init AddToCommunity AddToHomeScreen AddToHomeScreenInfo AllowMessagesFromGroup AllowNotifications CallAPIMethod CopyText CreateHash
  DownloadFile GetAuthToken Close OpenApp DenyNotifications FlashGetInfo FlashSetLevel GetClientVersion GetCommunityToken GetConfig
  GetLaunchParams AudioPause GetEmail GetFriends GetGeodata GetGrantedPermissions GetPersonalCard GetPhoneNumber GetUserInfo
  JoinGroup LeaveGroup AddToMenu OpenCodeReader OpenContacts OpenPayForm OpenQR ResizeWindow Scroll SendToClient SetLocation
  SetViewSettings Share ShowCommunityWidgetPreviewBox ShowImages ShowInviteBox ShowLeaderBoardBox ShowMessageBox CheckBannerAd
  HideBannerAd ShowBannerAd ShowNativeAds CheckNativeAds ShowOrderBox ShowRequestBox ShowWallPostBox ShowSubscriptionBox
  OpenWallPost StorageGet StorageGetKeys StorageSet TapticImpactOccurred TapticNotificationOccurred TapticSelectionChanged
  AddToFavorites SendPayload DisableSwipeBack EnableSwipeBack SetSwipeSettings ShowStoryBox AccelerometerStart AccelerometerStop
  GyroscopeStart GyroscopeStop DeviceMotionStart DeviceMotionStop SubscribeStoryApp GetGroupInfo LibverifyRequest LibverifyCheck
  RetargetingPixel CheckAllowedScopes ConversionHit CheckSurvey ShowSurvey ScrollTop ScrollTopStart ScrollTopStop ShowSlidesSheet
  Translate CallStart CallJoin CallGetStatus Recommend`.split(/\s+/).map((name) => `VKWebApp${name}`);

/** The events whose names are not those of their methods. */
/** @type {Record<string, [result: string, failure: string]>} */
const answerNames = { VKWebAppGetAuthToken: ["VKWebAppAccessTokenReceived", "VKWebAppAccessTokenFailed"] };

presets.vk = (native) => {
  const tell = (/** @type {string} */ type, /** @type {unknown} */ data) =>
    inTurn(() => dispatch(window, new NativeCustomEvent("VKWebAppEvent", { detail: { type, data } })));
  /** @type {Set<string>} */
  const names = new Set(["VKWebAppClose", ...native.options.methods ?? methods]);
  for (const method of names) {
    const [result, failure] = answerNames[method] ?? [`${method}Result`, `${method}Failed`];
    native.channel(method, {}, (props) => {
      const { request_id } = props ?? {};
      native.send(method, props).then(
        (data) => data !== undefined && tell(result, { ...data, request_id }),
        (/** @type {Error} */ error) => {
          const { error_type = "client_error", error_data = { error_code: 1, error_reason: error.message } } = reasons.get(error) ?? {};
          tell(failure, { error_type, error_data, request_id });
        }).catch(reportUncaught);
    });
  }
  native.onCall((path, list) => path.length === 1 && path[0].startsWith("VKWebApp") ? tell(path[0], list[0] ?? {}) : callPath(path, list));
};
