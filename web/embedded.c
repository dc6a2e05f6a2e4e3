#include "web_files.h"

// Every file of web/ that the server serves. A test compares this list with the folders.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char about_about_html[] = {
#embed "about/about.html"
};
static const unsigned char api_openapi_json[] = {
#embed "api/openapi.json"
};
static const unsigned char bridges_declared_adapters_js[] = {
#embed "bridges/declared/adapters.js"
};
static const unsigned char bridges_declared_classes_js[] = {
#embed "bridges/declared/classes.js"
};
static const unsigned char bridges_declared_codings_js[] = {
#embed "bridges/declared/codings.js"
};
static const unsigned char bridges_declared_evaluation_js[] = {
#embed "bridges/declared/evaluation.js"
};
static const unsigned char bridges_declared_events_js[] = {
#embed "bridges/declared/events.js"
};
static const unsigned char bridges_declared_guarded_js[] = {
#embed "bridges/declared/guarded.js"
};
static const unsigned char bridges_declared_lint_schemes_js[] = {
#embed "bridges/declared/lint/schemes.js"
};
static const unsigned char bridges_declared_navigations_js[] = {
#embed "bridges/declared/navigations.js"
};
static const unsigned char bridges_declared_now_js[] = {
#embed "bridges/declared/now.js"
};
static const unsigned char bridges_declared_objects_js[] = {
#embed "bridges/declared/objects.js"
};
static const unsigned char bridges_declared_presets_adapty_js[] = {
#embed "bridges/declared/presets/adapty.js"
};
static const unsigned char bridges_declared_presets_airship_js[] = {
#embed "bridges/declared/presets/airship.js"
};
static const unsigned char bridges_declared_presets_android_js[] = {
#embed "bridges/declared/presets/android.js"
};
static const unsigned char bridges_declared_presets_capacitor_js[] = {
#embed "bridges/declared/presets/capacitor.js"
};
static const unsigned char bridges_declared_presets_cordova_purchase_js[] = {
#embed "bridges/declared/presets/cordova-purchase.js"
};
static const unsigned char bridges_declared_presets_cordova_js[] = {
#embed "bridges/declared/presets/cordova.js"
};
static const unsigned char bridges_declared_presets_despia_js[] = {
#embed "bridges/declared/presets/despia.js"
};
static const unsigned char bridges_declared_presets_dsbridge_js[] = {
#embed "bridges/declared/presets/dsbridge.js"
};
static const unsigned char bridges_declared_presets_duckduckgo_js[] = {
#embed "bridges/declared/presets/duckduckgo.js"
};
static const unsigned char bridges_declared_presets_farcaster_js[] = {
#embed "bridges/declared/presets/farcaster.js"
};
static const unsigned char bridges_declared_presets_flutter_js[] = {
#embed "bridges/declared/presets/flutter.js"
};
static const unsigned char bridges_declared_presets_grab_js[] = {
#embed "bridges/declared/presets/grab.js"
};
static const unsigned char bridges_declared_presets_hotwire_js[] = {
#embed "bridges/declared/presets/hotwire.js"
};
static const unsigned char bridges_declared_presets_liff_js[] = {
#embed "bridges/declared/presets/liff.js"
};
static const unsigned char bridges_declared_presets_median_js[] = {
#embed "bridges/declared/presets/median.js"
};
static const unsigned char bridges_declared_presets_minikit_js[] = {
#embed "bridges/declared/presets/minikit.js"
};
static const unsigned char bridges_declared_presets_pywebview_js[] = {
#embed "bridges/declared/presets/pywebview.js"
};
static const unsigned char bridges_declared_presets_qonversion_js[] = {
#embed "bridges/declared/presets/qonversion.js"
};
static const unsigned char bridges_declared_presets_rakuten_js[] = {
#embed "bridges/declared/presets/rakuten.js"
};
static const unsigned char bridges_declared_presets_react_native_js[] = {
#embed "bridges/declared/presets/react-native.js"
};
static const unsigned char bridges_declared_presets_revenuecat_js[] = {
#embed "bridges/declared/presets/revenuecat.js"
};
static const unsigned char bridges_declared_presets_tauri_js[] = {
#embed "bridges/declared/presets/tauri.js"
};
static const unsigned char bridges_declared_presets_teams_js[] = {
#embed "bridges/declared/presets/teams.js"
};
static const unsigned char bridges_declared_presets_telegram_js[] = {
#embed "bridges/declared/presets/telegram.js"
};
static const unsigned char bridges_declared_presets_vk_js[] = {
#embed "bridges/declared/presets/vk.js"
};
static const unsigned char bridges_declared_presets_wails_js[] = {
#embed "bridges/declared/presets/wails.js"
};
static const unsigned char bridges_declared_presets_wechat_js[] = {
#embed "bridges/declared/presets/wechat.js"
};
static const unsigned char bridges_declared_presets_wvjb_js[] = {
#embed "bridges/declared/presets/wvjb.js"
};
static const unsigned char bridges_declared_presets_zoom_js[] = {
#embed "bridges/declared/presets/zoom.js"
};
static const unsigned char bridges_declared_resources_addresses_js[] = {
#embed "bridges/declared/resources/addresses.js"
};
static const unsigned char bridges_declared_resources_elements_js[] = {
#embed "bridges/declared/resources/elements.js"
};
static const unsigned char bridges_declared_resources_page_js[] = {
#embed "bridges/declared/resources/page.js"
};
static const unsigned char bridges_declared_resources_requests_js[] = {
#embed "bridges/declared/resources/requests.js"
};
static const unsigned char bridges_declared_resources_worker_js[] = {
#embed "bridges/declared/resources/worker.js"
};
static const unsigned char bridges_declared_schemes_js[] = {
#embed "bridges/declared/schemes.js"
};
static const unsigned char bridges_declared_sheets_form_js[] = {
#embed "bridges/declared/sheets/form.js"
};
static const unsigned char bridges_declared_shim_js[] = {
#embed "bridges/declared/shim.js"
};
static const unsigned char bridges_declared_store_js[] = {
#embed "bridges/declared/store.js"
};
static const unsigned char bridges_declared_windows_js[] = {
#embed "bridges/declared/windows.js"
};
static const unsigned char bridges_gbg_bootstrap_js[] = {
#embed "bridges/gbg/bootstrap.js"
};
static const unsigned char bridges_gbg_needs_js[] = {
#embed "bridges/gbg/needs.js"
};
static const unsigned char bridges_gbg_pane_js[] = {
#embed "bridges/gbg/pane.js"
};
static const unsigned char bridges_gbg_sheets_capture_js[] = {
#embed "bridges/gbg/sheets/capture.js"
};
static const unsigned char bridges_gbg_shim_js[] = {
#embed "bridges/gbg/shim.js"
};
static const unsigned char bridges_onside_lint_callbacks_js[] = {
#embed "bridges/onside/lint/callbacks.js"
};
static const unsigned char bridges_onside_lint_rejections_js[] = {
#embed "bridges/onside/lint/rejections.js"
};
static const unsigned char bridges_onside_pane_settings_js[] = {
#embed "bridges/onside/pane/settings.js"
};
static const unsigned char bridges_onside_pane_words_js[] = {
#embed "bridges/onside/pane/words.js"
};
static const unsigned char bridges_onside_pane_store_js[] = {
#embed "bridges/onside/pane/store.js"
};
static const unsigned char bridges_onside_sheets_login_js[] = {
#embed "bridges/onside/sheets/login.js"
};
static const unsigned char bridges_onside_sheets_outcome_js[] = {
#embed "bridges/onside/sheets/outcome.js"
};
static const unsigned char bridges_onside_sheets_payment_methods_js[] = {
#embed "bridges/onside/sheets/payment-methods.js"
};
static const unsigned char bridges_onside_sheets_payment_js[] = {
#embed "bridges/onside/sheets/payment.js"
};
static const unsigned char bridges_onside_sheets_price_change_js[] = {
#embed "bridges/onside/sheets/price-change.js"
};
static const unsigned char bridges_onside_sheets_price_increase_js[] = {
#embed "bridges/onside/sheets/price-increase.js"
};
static const unsigned char bridges_onside_sheets_product_js[] = {
#embed "bridges/onside/sheets/product.js"
};
static const unsigned char bridges_onside_sheets_unavailable_js[] = {
#embed "bridges/onside/sheets/unavailable.js"
};
static const unsigned char bridges_onside_shim_js[] = {
#embed "bridges/onside/shim.js"
};
static const unsigned char bridges_panes_js[] = {
#embed "bridges/panes.js"
};
static const unsigned char bridges_sheets_js[] = {
#embed "bridges/sheets.js"
};
static const unsigned char bridges_today_lint_tokens_js[] = {
#embed "bridges/today/lint/tokens.js"
};
static const unsigned char bridges_today_pane_js[] = {
#embed "bridges/today/pane.js"
};
static const unsigned char bridges_today_shim_js[] = {
#embed "bridges/today/shim.js"
};
static const unsigned char dashboard_address_js[] = {
#embed "dashboard/address.js"
};
static const unsigned char dashboard_api_js[] = {
#embed "dashboard/api.js"
};
static const unsigned char dashboard_bridge_list_js[] = {
#embed "dashboard/bridge-list.js"
};
static const unsigned char dashboard_dashboard_css[] = {
#embed "dashboard/dashboard.css"
};
static const unsigned char dashboard_dashboard_js[] = {
#embed "dashboard/dashboard.js"
};
static const unsigned char dashboard_detail_js[] = {
#embed "dashboard/detail.js"
};
static const unsigned char dashboard_elements_js[] = {
#embed "dashboard/elements.js"
};
static const unsigned char dashboard_log_row_js[] = {
#embed "dashboard/log-row.js"
};
static const unsigned char dashboard_stories_js[] = {
#embed "dashboard/stories.js"
};
static const unsigned char dashboard_story_text_js[] = {
#embed "dashboard/story-text.js"
};
static const unsigned char dashboard_filter_bar_js[] = {
#embed "dashboard/filter-bar.js"
};
static const unsigned char dashboard_open_calls_js[] = {
#embed "dashboard/open-calls.js"
};
static const unsigned char dashboard_notice_js[] = {
#embed "dashboard/notice.js"
};
static const unsigned char dashboard_stage_view_js[] = {
#embed "dashboard/stage-view.js"
};
static const unsigned char dashboard_store_effects_js[] = {
#embed "dashboard/store-effects.js"
};
static const unsigned char dashboard_nothing_html[] = {
#embed "dashboard/nothing.html"
};
static const unsigned char dashboard_missing_js[] = {
#embed "dashboard/missing.js"
};
static const unsigned char dashboard_entry_text_js[] = {
#embed "dashboard/entry-text.js"
};
static const unsigned char dashboard_feed_js[] = {
#embed "dashboard/feed.js"
};
static const unsigned char dashboard_filter_js[] = {
#embed "dashboard/filter.js"
};
static const unsigned char dashboard_header_js[] = {
#embed "dashboard/header.js"
};
static const unsigned char dashboard_index_html[] = {
#embed "dashboard/index.html"
};
static const unsigned char dashboard_keyboard_js[] = {
#embed "dashboard/keyboard.js"
};
static const unsigned char dashboard_lanes_js[] = {
#embed "dashboard/lanes.js"
};
static const unsigned char dashboard_log_js[] = {
#embed "dashboard/log.js"
};
static const unsigned char dashboard_main_js[] = {
#embed "dashboard/main.js"
};
static const unsigned char dashboard_needs_js[] = {
#embed "dashboard/needs.js"
};
static const unsigned char dashboard_order_js[] = {
#embed "dashboard/order.js"
};
static const unsigned char dashboard_panes_bridges_js[] = {
#embed "dashboard/panes/bridges.js"
};
static const unsigned char dashboard_panes_device_fields_js[] = {
#embed "dashboard/panes/device-fields.js"
};
static const unsigned char dashboard_panes_device_js[] = {
#embed "dashboard/panes/device.js"
};
static const unsigned char dashboard_panes_fields_js[] = {
#embed "dashboard/panes/fields.js"
};
static const unsigned char dashboard_panes_index_js[] = {
#embed "dashboard/panes/index.js"
};
static const unsigned char dashboard_panes_lint_js[] = {
#embed "dashboard/panes/lint.js"
};
static const unsigned char dashboard_panes_pages_js[] = {
#embed "dashboard/panes/pages.js"
};
static const unsigned char dashboard_panes_pane_js[] = {
#embed "dashboard/panes/pane.js"
};
static const unsigned char dashboard_panes_parts_js[] = {
#embed "dashboard/panes/parts.js"
};
static const unsigned char dashboard_panes_rule_form_js[] = {
#embed "dashboard/panes/rule-form.js"
};
static const unsigned char dashboard_panes_rules_js[] = {
#embed "dashboard/panes/rules.js"
};
static const unsigned char dashboard_panes_settings_js[] = {
#embed "dashboard/panes/settings.js"
};
static const unsigned char dashboard_phones_js[] = {
#embed "dashboard/phones.js"
};
static const unsigned char dashboard_rule_draft_js[] = {
#embed "dashboard/rule-draft.js"
};
static const unsigned char dashboard_rule_text_js[] = {
#embed "dashboard/rule-text.js"
};
static const unsigned char dashboard_session_view_js[] = {
#embed "dashboard/session-view.js"
};
static const unsigned char dashboard_sessions_js[] = {
#embed "dashboard/sessions.js"
};
static const unsigned char dashboard_sheet_card_js[] = {
#embed "dashboard/sheet-card.js"
};
static const unsigned char dashboard_timeline_js[] = {
#embed "dashboard/timeline.js"
};
static const unsigned char demo_demo_storekit[] = {
#embed "demo/demo.storekit"
};
static const unsigned char demo_icon_svg[] = {
#embed "demo/icon.svg"
};
static const unsigned char demo_index_html[] = {
#embed "demo/index.html"
};
static const unsigned char demo_shop_css[] = {
#embed "demo/shop.css"
};
static const unsigned char demo_shop_js[] = {
#embed "demo/shop.js"
};
static const unsigned char demo_steps_js[] = {
#embed "demo/steps.js"
};
static const unsigned char demo_today_html[] = {
#embed "demo/today.html"
};
static const unsigned char demo_today_js[] = {
#embed "demo/today.js"
};
static const unsigned char demo_verify_html[] = {
#embed "demo/verify.html"
};
static const unsigned char demo_verify_js[] = {
#embed "demo/verify.js"
};
static const unsigned char device_device_js[] = {
#embed "device/device.js"
};
static const unsigned char device_kill_js[] = {
#embed "device/kill.js"
};
static const unsigned char device_lifecycle_js[] = {
#embed "device/lifecycle.js"
};
static const unsigned char device_locale_js[] = {
#embed "device/locale.js"
};
static const unsigned char device_look_js[] = {
#embed "device/look.js"
};
static const unsigned char device_media_js[] = {
#embed "device/media.js"
};
static const unsigned char device_replace_js[] = {
#embed "device/replace.js"
};
static const unsigned char device_sockets_js[] = {
#embed "device/sockets.js"
};
static const unsigned char device_timers_js[] = {
#embed "device/timers.js"
};
static const unsigned char evaluation_evaluation_js[] = {
#embed "evaluation/evaluation.js"
};
static const unsigned char launch_launch_js[] = {
#embed "launch/launch.js"
};
static const unsigned char lint_base_js[] = {
#embed "lint/base.js"
};
static const unsigned char lint_handlers_js[] = {
#embed "lint/handlers.js"
};
static const unsigned char lint_watch_js[] = {
#embed "lint/watch.js"
};
static const unsigned char phone_apis_tsv[] = {
#embed "phone/apis.tsv"
};
static const unsigned char phone_differences_js[] = {
#embed "phone/differences.js"
};
static const unsigned char phone_failures_js[] = {
#embed "phone/failures.js"
};
static const unsigned char phone_hide_js[] = {
#embed "phone/hide.js"
};
static const unsigned char phone_identity_js[] = {
#embed "phone/identity.js"
};
static const unsigned char phone_page_js[] = {
#embed "phone/page.js"
};
static const unsigned char phone_report_js[] = {
#embed "phone/report.js"
};
static const unsigned char phone_uses_js[] = {
#embed "phone/uses.js"
};
static const unsigned char phone_worker_js[] = {
#embed "phone/worker.js"
};
static const unsigned char proxy_passing_js[] = {
#embed "proxy/passing.js"
};
static const unsigned char proxy_problem_html[] = {
#embed "proxy/problem.html"
};
static const unsigned char recorder_recorder_js[] = {
#embed "recorder/recorder.js"
};
static const unsigned char sheets_add_words_js[] = {
#embed "sheets/add-words.js"
};
static const unsigned char sheets_elements_js[] = {
#embed "sheets/elements.js"
};
static const unsigned char sheets_events_js[] = {
#embed "sheets/events.js"
};
static const unsigned char sheets_frame_js[] = {
#embed "sheets/frame.js"
};
static const unsigned char sheets_front_js[] = {
#embed "sheets/front.js"
};
static const unsigned char sheets_language_js[] = {
#embed "sheets/language.js"
};
static const unsigned char sheets_layer_js[] = {
#embed "sheets/layer.js"
};
static const unsigned char sheets_leaving_js[] = {
#embed "sheets/leaving.js"
};
static const unsigned char sheets_load_words_js[] = {
#embed "sheets/load-words.js"
};
static const unsigned char sheets_notice_js[] = {
#embed "sheets/notice.js"
};
static const unsigned char sheets_place_js[] = {
#embed "sheets/place.js"
};
static const unsigned char sheets_shown_js[] = {
#embed "sheets/shown.js"
};
static const unsigned char sheets_style_js[] = {
#embed "sheets/style.js"
};
static const unsigned char sheets_swipe_js[] = {
#embed "sheets/swipe.js"
};
static const unsigned char sheets_window_js[] = {
#embed "sheets/window.js"
};
static const unsigned char sheets_words_js[] = {
#embed "sheets/words.js"
};
static const unsigned char sheets_words_ar_js[] = {
#embed "sheets/words/ar.js"
};
static const unsigned char sheets_words_cs_js[] = {
#embed "sheets/words/cs.js"
};
static const unsigned char sheets_words_da_js[] = {
#embed "sheets/words/da.js"
};
static const unsigned char sheets_words_de_js[] = {
#embed "sheets/words/de.js"
};
static const unsigned char sheets_words_el_js[] = {
#embed "sheets/words/el.js"
};
static const unsigned char sheets_words_en_js[] = {
#embed "sheets/words/en.js"
};
static const unsigned char sheets_words_es_js[] = {
#embed "sheets/words/es.js"
};
static const unsigned char sheets_words_fi_js[] = {
#embed "sheets/words/fi.js"
};
static const unsigned char sheets_words_fr_js[] = {
#embed "sheets/words/fr.js"
};
static const unsigned char sheets_words_he_js[] = {
#embed "sheets/words/he.js"
};
static const unsigned char sheets_words_hi_js[] = {
#embed "sheets/words/hi.js"
};
static const unsigned char sheets_words_id_js[] = {
#embed "sheets/words/id.js"
};
static const unsigned char sheets_words_it_js[] = {
#embed "sheets/words/it.js"
};
static const unsigned char sheets_words_ja_js[] = {
#embed "sheets/words/ja.js"
};
static const unsigned char sheets_words_ko_js[] = {
#embed "sheets/words/ko.js"
};
static const unsigned char sheets_words_nb_js[] = {
#embed "sheets/words/nb.js"
};
static const unsigned char sheets_words_nl_js[] = {
#embed "sheets/words/nl.js"
};
static const unsigned char sheets_words_pl_js[] = {
#embed "sheets/words/pl.js"
};
static const unsigned char sheets_words_pt_js[] = {
#embed "sheets/words/pt.js"
};
static const unsigned char sheets_words_sv_js[] = {
#embed "sheets/words/sv.js"
};
static const unsigned char sheets_words_th_js[] = {
#embed "sheets/words/th.js"
};
static const unsigned char sheets_words_tr_js[] = {
#embed "sheets/words/tr.js"
};
static const unsigned char sheets_words_uk_js[] = {
#embed "sheets/words/uk.js"
};
static const unsigned char sheets_words_vi_js[] = {
#embed "sheets/words/vi.js"
};
static const unsigned char sheets_words_zh_hans_js[] = {
#embed "sheets/words/zh-Hans.js"
};
static const unsigned char sheets_words_zh_hant_js[] = {
#embed "sheets/words/zh-Hant.js"
};
static const unsigned char shim_builtins_js[] = {
#embed "shim/builtins.js"
};
static const unsigned char shim_configuration_js[] = {
#embed "shim/configuration.js"
};
static const unsigned char shim_connection_js[] = {
#embed "shim/connection.js"
};
static const unsigned char shim_copy_js[] = {
#embed "shim/copy.js"
};
static const unsigned char shim_core_js[] = {
#embed "shim/core.js"
};
static const unsigned char shim_departures_js[] = {
#embed "shim/departures.js"
};
static const unsigned char shim_frames_js[] = {
#embed "shim/frames.js"
};
static const unsigned char shim_goodbye_js[] = {
#embed "shim/goodbye.js"
};
static const unsigned char shim_length_js[] = {
#embed "shim/length.js"
};
static const unsigned char shim_listening_js[] = {
#embed "shim/listening.js"
};
static const unsigned char shim_load_js[] = {
#embed "shim/load.js"
};
static const unsigned char shim_parts_js[] = {
#embed "shim/parts.js"
};
static const unsigned char shim_reload_js[] = {
#embed "shim/reload.js"
};
static const unsigned char shim_relisten_js[] = {
#embed "shim/relisten.js"
};
static const unsigned char shim_scripts_js[] = {
#embed "shim/scripts.js"
};
static const unsigned char shim_sheets_js[] = {
#embed "shim/sheets.js"
};
static const unsigned char shim_title_js[] = {
#embed "shim/title.js"
};
static const unsigned char shim_trusted_js[] = {
#embed "shim/trusted.js"
};
static const unsigned char shim_watching_js[] = {
#embed "shim/watching.js"
};
static const unsigned char shim_webkit_js[] = {
#embed "shim/webkit.js"
};
static const unsigned char shim_window_js[] = {
#embed "shim/window.js"
};
static const unsigned char workers_last_js[] = {
#embed "workers/last.js"
};
static const unsigned char workers_workers_js[] = {
#embed "workers/workers.js"
};

static const struct web_file files[] = {
    {"about/about.html", about_about_html, sizeof about_about_html},
    {"api/openapi.json", api_openapi_json, sizeof api_openapi_json},
    {"bridges/declared/adapters.js", bridges_declared_adapters_js, sizeof bridges_declared_adapters_js},
    {"bridges/declared/classes.js", bridges_declared_classes_js, sizeof bridges_declared_classes_js},
    {"bridges/declared/codings.js", bridges_declared_codings_js, sizeof bridges_declared_codings_js},
    {"bridges/declared/evaluation.js", bridges_declared_evaluation_js, sizeof bridges_declared_evaluation_js},
    {"bridges/declared/events.js", bridges_declared_events_js, sizeof bridges_declared_events_js},
    {"bridges/declared/guarded.js", bridges_declared_guarded_js, sizeof bridges_declared_guarded_js},
    {"bridges/declared/lint/schemes.js", bridges_declared_lint_schemes_js, sizeof bridges_declared_lint_schemes_js},
    {"bridges/declared/navigations.js", bridges_declared_navigations_js, sizeof bridges_declared_navigations_js},
    {"bridges/declared/now.js", bridges_declared_now_js, sizeof bridges_declared_now_js},
    {"bridges/declared/objects.js", bridges_declared_objects_js, sizeof bridges_declared_objects_js},
    {"bridges/declared/presets/adapty.js", bridges_declared_presets_adapty_js, sizeof bridges_declared_presets_adapty_js},
    {"bridges/declared/presets/airship.js", bridges_declared_presets_airship_js, sizeof bridges_declared_presets_airship_js},
    {"bridges/declared/presets/android.js", bridges_declared_presets_android_js, sizeof bridges_declared_presets_android_js},
    {"bridges/declared/presets/capacitor.js", bridges_declared_presets_capacitor_js, sizeof bridges_declared_presets_capacitor_js},
    {"bridges/declared/presets/cordova-purchase.js", bridges_declared_presets_cordova_purchase_js, sizeof bridges_declared_presets_cordova_purchase_js},
    {"bridges/declared/presets/cordova.js", bridges_declared_presets_cordova_js, sizeof bridges_declared_presets_cordova_js},
    {"bridges/declared/presets/despia.js", bridges_declared_presets_despia_js, sizeof bridges_declared_presets_despia_js},
    {"bridges/declared/presets/dsbridge.js", bridges_declared_presets_dsbridge_js, sizeof bridges_declared_presets_dsbridge_js},
    {"bridges/declared/presets/duckduckgo.js", bridges_declared_presets_duckduckgo_js, sizeof bridges_declared_presets_duckduckgo_js},
    {"bridges/declared/presets/farcaster.js", bridges_declared_presets_farcaster_js, sizeof bridges_declared_presets_farcaster_js},
    {"bridges/declared/presets/flutter.js", bridges_declared_presets_flutter_js, sizeof bridges_declared_presets_flutter_js},
    {"bridges/declared/presets/grab.js", bridges_declared_presets_grab_js, sizeof bridges_declared_presets_grab_js},
    {"bridges/declared/presets/hotwire.js", bridges_declared_presets_hotwire_js, sizeof bridges_declared_presets_hotwire_js},
    {"bridges/declared/presets/liff.js", bridges_declared_presets_liff_js, sizeof bridges_declared_presets_liff_js},
    {"bridges/declared/presets/median.js", bridges_declared_presets_median_js, sizeof bridges_declared_presets_median_js},
    {"bridges/declared/presets/minikit.js", bridges_declared_presets_minikit_js, sizeof bridges_declared_presets_minikit_js},
    {"bridges/declared/presets/pywebview.js", bridges_declared_presets_pywebview_js, sizeof bridges_declared_presets_pywebview_js},
    {"bridges/declared/presets/qonversion.js", bridges_declared_presets_qonversion_js, sizeof bridges_declared_presets_qonversion_js},
    {"bridges/declared/presets/rakuten.js", bridges_declared_presets_rakuten_js, sizeof bridges_declared_presets_rakuten_js},
    {"bridges/declared/presets/react-native.js", bridges_declared_presets_react_native_js, sizeof bridges_declared_presets_react_native_js},
    {"bridges/declared/presets/revenuecat.js", bridges_declared_presets_revenuecat_js, sizeof bridges_declared_presets_revenuecat_js},
    {"bridges/declared/presets/tauri.js", bridges_declared_presets_tauri_js, sizeof bridges_declared_presets_tauri_js},
    {"bridges/declared/presets/teams.js", bridges_declared_presets_teams_js, sizeof bridges_declared_presets_teams_js},
    {"bridges/declared/presets/telegram.js", bridges_declared_presets_telegram_js, sizeof bridges_declared_presets_telegram_js},
    {"bridges/declared/presets/vk.js", bridges_declared_presets_vk_js, sizeof bridges_declared_presets_vk_js},
    {"bridges/declared/presets/wails.js", bridges_declared_presets_wails_js, sizeof bridges_declared_presets_wails_js},
    {"bridges/declared/presets/wechat.js", bridges_declared_presets_wechat_js, sizeof bridges_declared_presets_wechat_js},
    {"bridges/declared/presets/wvjb.js", bridges_declared_presets_wvjb_js, sizeof bridges_declared_presets_wvjb_js},
    {"bridges/declared/presets/zoom.js", bridges_declared_presets_zoom_js, sizeof bridges_declared_presets_zoom_js},
    {"bridges/declared/resources/addresses.js", bridges_declared_resources_addresses_js, sizeof bridges_declared_resources_addresses_js},
    {"bridges/declared/resources/elements.js", bridges_declared_resources_elements_js, sizeof bridges_declared_resources_elements_js},
    {"bridges/declared/resources/page.js", bridges_declared_resources_page_js, sizeof bridges_declared_resources_page_js},
    {"bridges/declared/resources/requests.js", bridges_declared_resources_requests_js, sizeof bridges_declared_resources_requests_js},
    {"bridges/declared/resources/worker.js", bridges_declared_resources_worker_js, sizeof bridges_declared_resources_worker_js},
    {"bridges/declared/schemes.js", bridges_declared_schemes_js, sizeof bridges_declared_schemes_js},
    {"bridges/declared/sheets/form.js", bridges_declared_sheets_form_js, sizeof bridges_declared_sheets_form_js},
    {"bridges/declared/shim.js", bridges_declared_shim_js, sizeof bridges_declared_shim_js},
    {"bridges/declared/store.js", bridges_declared_store_js, sizeof bridges_declared_store_js},
    {"bridges/declared/windows.js", bridges_declared_windows_js, sizeof bridges_declared_windows_js},
    {"bridges/gbg/bootstrap.js", bridges_gbg_bootstrap_js, sizeof bridges_gbg_bootstrap_js},
    {"bridges/gbg/needs.js", bridges_gbg_needs_js, sizeof bridges_gbg_needs_js},
    {"bridges/gbg/pane.js", bridges_gbg_pane_js, sizeof bridges_gbg_pane_js},
    {"bridges/gbg/sheets/capture.js", bridges_gbg_sheets_capture_js, sizeof bridges_gbg_sheets_capture_js},
    {"bridges/gbg/shim.js", bridges_gbg_shim_js, sizeof bridges_gbg_shim_js},
    {"bridges/onside/lint/callbacks.js", bridges_onside_lint_callbacks_js, sizeof bridges_onside_lint_callbacks_js},
    {"bridges/onside/lint/rejections.js", bridges_onside_lint_rejections_js, sizeof bridges_onside_lint_rejections_js},
    {"bridges/onside/pane/settings.js", bridges_onside_pane_settings_js, sizeof bridges_onside_pane_settings_js},
    {"bridges/onside/pane/words.js", bridges_onside_pane_words_js, sizeof bridges_onside_pane_words_js},
    {"bridges/onside/pane/store.js", bridges_onside_pane_store_js, sizeof bridges_onside_pane_store_js},
    {"bridges/onside/sheets/login.js", bridges_onside_sheets_login_js, sizeof bridges_onside_sheets_login_js},
    {"bridges/onside/sheets/outcome.js", bridges_onside_sheets_outcome_js, sizeof bridges_onside_sheets_outcome_js},
    {"bridges/onside/sheets/payment-methods.js", bridges_onside_sheets_payment_methods_js, sizeof bridges_onside_sheets_payment_methods_js},
    {"bridges/onside/sheets/payment.js", bridges_onside_sheets_payment_js, sizeof bridges_onside_sheets_payment_js},
    {"bridges/onside/sheets/price-change.js", bridges_onside_sheets_price_change_js, sizeof bridges_onside_sheets_price_change_js},
    {"bridges/onside/sheets/price-increase.js", bridges_onside_sheets_price_increase_js, sizeof bridges_onside_sheets_price_increase_js},
    {"bridges/onside/sheets/product.js", bridges_onside_sheets_product_js, sizeof bridges_onside_sheets_product_js},
    {"bridges/onside/sheets/unavailable.js", bridges_onside_sheets_unavailable_js, sizeof bridges_onside_sheets_unavailable_js},
    {"bridges/onside/shim.js", bridges_onside_shim_js, sizeof bridges_onside_shim_js},
    {"bridges/panes.js", bridges_panes_js, sizeof bridges_panes_js},
    {"bridges/sheets.js", bridges_sheets_js, sizeof bridges_sheets_js},
    {"bridges/today/lint/tokens.js", bridges_today_lint_tokens_js, sizeof bridges_today_lint_tokens_js},
    {"bridges/today/pane.js", bridges_today_pane_js, sizeof bridges_today_pane_js},
    {"bridges/today/shim.js", bridges_today_shim_js, sizeof bridges_today_shim_js},
    {"dashboard/address.js", dashboard_address_js, sizeof dashboard_address_js},
    {"dashboard/api.js", dashboard_api_js, sizeof dashboard_api_js},
    {"dashboard/bridge-list.js", dashboard_bridge_list_js, sizeof dashboard_bridge_list_js},
    {"dashboard/dashboard.css", dashboard_dashboard_css, sizeof dashboard_dashboard_css},
    {"dashboard/dashboard.js", dashboard_dashboard_js, sizeof dashboard_dashboard_js},
    {"dashboard/detail.js", dashboard_detail_js, sizeof dashboard_detail_js},
    {"dashboard/elements.js", dashboard_elements_js, sizeof dashboard_elements_js},
    {"dashboard/log-row.js", dashboard_log_row_js, sizeof dashboard_log_row_js},
    {"dashboard/stories.js", dashboard_stories_js, sizeof dashboard_stories_js},
    {"dashboard/story-text.js", dashboard_story_text_js, sizeof dashboard_story_text_js},
    {"dashboard/filter-bar.js", dashboard_filter_bar_js, sizeof dashboard_filter_bar_js},
    {"dashboard/open-calls.js", dashboard_open_calls_js, sizeof dashboard_open_calls_js},
    {"dashboard/notice.js", dashboard_notice_js, sizeof dashboard_notice_js},
    {"dashboard/stage-view.js", dashboard_stage_view_js, sizeof dashboard_stage_view_js},
    {"dashboard/store-effects.js", dashboard_store_effects_js, sizeof dashboard_store_effects_js},
    {"dashboard/nothing.html", dashboard_nothing_html, sizeof dashboard_nothing_html},
    {"dashboard/missing.js", dashboard_missing_js, sizeof dashboard_missing_js},
    {"dashboard/entry-text.js", dashboard_entry_text_js, sizeof dashboard_entry_text_js},
    {"dashboard/feed.js", dashboard_feed_js, sizeof dashboard_feed_js},
    {"dashboard/filter.js", dashboard_filter_js, sizeof dashboard_filter_js},
    {"dashboard/header.js", dashboard_header_js, sizeof dashboard_header_js},
    {"dashboard/index.html", dashboard_index_html, sizeof dashboard_index_html},
    {"dashboard/keyboard.js", dashboard_keyboard_js, sizeof dashboard_keyboard_js},
    {"dashboard/lanes.js", dashboard_lanes_js, sizeof dashboard_lanes_js},
    {"dashboard/log.js", dashboard_log_js, sizeof dashboard_log_js},
    {"dashboard/main.js", dashboard_main_js, sizeof dashboard_main_js},
    {"dashboard/needs.js", dashboard_needs_js, sizeof dashboard_needs_js},
    {"dashboard/order.js", dashboard_order_js, sizeof dashboard_order_js},
    {"dashboard/panes/bridges.js", dashboard_panes_bridges_js, sizeof dashboard_panes_bridges_js},
    {"dashboard/panes/device-fields.js", dashboard_panes_device_fields_js, sizeof dashboard_panes_device_fields_js},
    {"dashboard/panes/device.js", dashboard_panes_device_js, sizeof dashboard_panes_device_js},
    {"dashboard/panes/fields.js", dashboard_panes_fields_js, sizeof dashboard_panes_fields_js},
    {"dashboard/panes/index.js", dashboard_panes_index_js, sizeof dashboard_panes_index_js},
    {"dashboard/panes/lint.js", dashboard_panes_lint_js, sizeof dashboard_panes_lint_js},
    {"dashboard/panes/pages.js", dashboard_panes_pages_js, sizeof dashboard_panes_pages_js},
    {"dashboard/panes/pane.js", dashboard_panes_pane_js, sizeof dashboard_panes_pane_js},
    {"dashboard/panes/parts.js", dashboard_panes_parts_js, sizeof dashboard_panes_parts_js},
    {"dashboard/panes/rule-form.js", dashboard_panes_rule_form_js, sizeof dashboard_panes_rule_form_js},
    {"dashboard/panes/rules.js", dashboard_panes_rules_js, sizeof dashboard_panes_rules_js},
    {"dashboard/panes/settings.js", dashboard_panes_settings_js, sizeof dashboard_panes_settings_js},
    {"dashboard/phones.js", dashboard_phones_js, sizeof dashboard_phones_js},
    {"dashboard/rule-draft.js", dashboard_rule_draft_js, sizeof dashboard_rule_draft_js},
    {"dashboard/rule-text.js", dashboard_rule_text_js, sizeof dashboard_rule_text_js},
    {"dashboard/session-view.js", dashboard_session_view_js, sizeof dashboard_session_view_js},
    {"dashboard/sessions.js", dashboard_sessions_js, sizeof dashboard_sessions_js},
    {"dashboard/sheet-card.js", dashboard_sheet_card_js, sizeof dashboard_sheet_card_js},
    {"dashboard/timeline.js", dashboard_timeline_js, sizeof dashboard_timeline_js},
    {"demo/demo.storekit", demo_demo_storekit, sizeof demo_demo_storekit},
    {"demo/icon.svg", demo_icon_svg, sizeof demo_icon_svg},
    {"demo/index.html", demo_index_html, sizeof demo_index_html},
    {"demo/shop.css", demo_shop_css, sizeof demo_shop_css},
    {"demo/shop.js", demo_shop_js, sizeof demo_shop_js},
    {"demo/steps.js", demo_steps_js, sizeof demo_steps_js},
    {"demo/today.html", demo_today_html, sizeof demo_today_html},
    {"demo/today.js", demo_today_js, sizeof demo_today_js},
    {"demo/verify.html", demo_verify_html, sizeof demo_verify_html},
    {"demo/verify.js", demo_verify_js, sizeof demo_verify_js},
    {"device/device.js", device_device_js, sizeof device_device_js},
    {"device/kill.js", device_kill_js, sizeof device_kill_js},
    {"device/lifecycle.js", device_lifecycle_js, sizeof device_lifecycle_js},
    {"device/locale.js", device_locale_js, sizeof device_locale_js},
    {"device/look.js", device_look_js, sizeof device_look_js},
    {"device/media.js", device_media_js, sizeof device_media_js},
    {"device/replace.js", device_replace_js, sizeof device_replace_js},
    {"device/sockets.js", device_sockets_js, sizeof device_sockets_js},
    {"device/timers.js", device_timers_js, sizeof device_timers_js},
    {"evaluation/evaluation.js", evaluation_evaluation_js, sizeof evaluation_evaluation_js},
    {"launch/launch.js", launch_launch_js, sizeof launch_launch_js},
    {"lint/base.js", lint_base_js, sizeof lint_base_js},
    {"lint/handlers.js", lint_handlers_js, sizeof lint_handlers_js},
    {"lint/watch.js", lint_watch_js, sizeof lint_watch_js},
    {"phone/apis.tsv", phone_apis_tsv, sizeof phone_apis_tsv},
    {"phone/differences.js", phone_differences_js, sizeof phone_differences_js},
    {"phone/failures.js", phone_failures_js, sizeof phone_failures_js},
    {"phone/hide.js", phone_hide_js, sizeof phone_hide_js},
    {"phone/identity.js", phone_identity_js, sizeof phone_identity_js},
    {"phone/page.js", phone_page_js, sizeof phone_page_js},
    {"phone/report.js", phone_report_js, sizeof phone_report_js},
    {"phone/uses.js", phone_uses_js, sizeof phone_uses_js},
    {"phone/worker.js", phone_worker_js, sizeof phone_worker_js},
    {"proxy/passing.js", proxy_passing_js, sizeof proxy_passing_js},
    {"proxy/problem.html", proxy_problem_html, sizeof proxy_problem_html},
    {"recorder/recorder.js", recorder_recorder_js, sizeof recorder_recorder_js},
    {"sheets/add-words.js", sheets_add_words_js, sizeof sheets_add_words_js},
    {"sheets/elements.js", sheets_elements_js, sizeof sheets_elements_js},
    {"sheets/events.js", sheets_events_js, sizeof sheets_events_js},
    {"sheets/frame.js", sheets_frame_js, sizeof sheets_frame_js},
    {"sheets/front.js", sheets_front_js, sizeof sheets_front_js},
    {"sheets/language.js", sheets_language_js, sizeof sheets_language_js},
    {"sheets/layer.js", sheets_layer_js, sizeof sheets_layer_js},
    {"sheets/leaving.js", sheets_leaving_js, sizeof sheets_leaving_js},
    {"sheets/load-words.js", sheets_load_words_js, sizeof sheets_load_words_js},
    {"sheets/notice.js", sheets_notice_js, sizeof sheets_notice_js},
    {"sheets/place.js", sheets_place_js, sizeof sheets_place_js},
    {"sheets/shown.js", sheets_shown_js, sizeof sheets_shown_js},
    {"sheets/style.js", sheets_style_js, sizeof sheets_style_js},
    {"sheets/swipe.js", sheets_swipe_js, sizeof sheets_swipe_js},
    {"sheets/window.js", sheets_window_js, sizeof sheets_window_js},
    {"sheets/words.js", sheets_words_js, sizeof sheets_words_js},
    {"sheets/words/ar.js", sheets_words_ar_js, sizeof sheets_words_ar_js},
    {"sheets/words/cs.js", sheets_words_cs_js, sizeof sheets_words_cs_js},
    {"sheets/words/da.js", sheets_words_da_js, sizeof sheets_words_da_js},
    {"sheets/words/de.js", sheets_words_de_js, sizeof sheets_words_de_js},
    {"sheets/words/el.js", sheets_words_el_js, sizeof sheets_words_el_js},
    {"sheets/words/en.js", sheets_words_en_js, sizeof sheets_words_en_js},
    {"sheets/words/es.js", sheets_words_es_js, sizeof sheets_words_es_js},
    {"sheets/words/fi.js", sheets_words_fi_js, sizeof sheets_words_fi_js},
    {"sheets/words/fr.js", sheets_words_fr_js, sizeof sheets_words_fr_js},
    {"sheets/words/he.js", sheets_words_he_js, sizeof sheets_words_he_js},
    {"sheets/words/hi.js", sheets_words_hi_js, sizeof sheets_words_hi_js},
    {"sheets/words/id.js", sheets_words_id_js, sizeof sheets_words_id_js},
    {"sheets/words/it.js", sheets_words_it_js, sizeof sheets_words_it_js},
    {"sheets/words/ja.js", sheets_words_ja_js, sizeof sheets_words_ja_js},
    {"sheets/words/ko.js", sheets_words_ko_js, sizeof sheets_words_ko_js},
    {"sheets/words/nb.js", sheets_words_nb_js, sizeof sheets_words_nb_js},
    {"sheets/words/nl.js", sheets_words_nl_js, sizeof sheets_words_nl_js},
    {"sheets/words/pl.js", sheets_words_pl_js, sizeof sheets_words_pl_js},
    {"sheets/words/pt.js", sheets_words_pt_js, sizeof sheets_words_pt_js},
    {"sheets/words/sv.js", sheets_words_sv_js, sizeof sheets_words_sv_js},
    {"sheets/words/th.js", sheets_words_th_js, sizeof sheets_words_th_js},
    {"sheets/words/tr.js", sheets_words_tr_js, sizeof sheets_words_tr_js},
    {"sheets/words/uk.js", sheets_words_uk_js, sizeof sheets_words_uk_js},
    {"sheets/words/vi.js", sheets_words_vi_js, sizeof sheets_words_vi_js},
    {"sheets/words/zh-Hans.js", sheets_words_zh_hans_js, sizeof sheets_words_zh_hans_js},
    {"sheets/words/zh-Hant.js", sheets_words_zh_hant_js, sizeof sheets_words_zh_hant_js},
    {"shim/builtins.js", shim_builtins_js, sizeof shim_builtins_js},
    {"shim/configuration.js", shim_configuration_js, sizeof shim_configuration_js},
    {"shim/connection.js", shim_connection_js, sizeof shim_connection_js},
    {"shim/copy.js", shim_copy_js, sizeof shim_copy_js},
    {"shim/core.js", shim_core_js, sizeof shim_core_js},
    {"shim/departures.js", shim_departures_js, sizeof shim_departures_js},
    {"shim/frames.js", shim_frames_js, sizeof shim_frames_js},
    {"shim/goodbye.js", shim_goodbye_js, sizeof shim_goodbye_js},
    {"shim/length.js", shim_length_js, sizeof shim_length_js},
    {"shim/listening.js", shim_listening_js, sizeof shim_listening_js},
    {"shim/load.js", shim_load_js, sizeof shim_load_js},
    {"shim/parts.js", shim_parts_js, sizeof shim_parts_js},
    {"shim/reload.js", shim_reload_js, sizeof shim_reload_js},
    {"shim/relisten.js", shim_relisten_js, sizeof shim_relisten_js},
    {"shim/scripts.js", shim_scripts_js, sizeof shim_scripts_js},
    {"shim/sheets.js", shim_sheets_js, sizeof shim_sheets_js},
    {"shim/title.js", shim_title_js, sizeof shim_title_js},
    {"shim/trusted.js", shim_trusted_js, sizeof shim_trusted_js},
    {"shim/watching.js", shim_watching_js, sizeof shim_watching_js},
    {"shim/webkit.js", shim_webkit_js, sizeof shim_webkit_js},
    {"shim/window.js", shim_window_js, sizeof shim_window_js},
    {"workers/last.js", workers_last_js, sizeof workers_last_js},
    {"workers/workers.js", workers_workers_js, sizeof workers_workers_js},
};

const struct web_file *web_files(void) { return files; }

size_t web_file_count(void) { return sizeof files / sizeof *files; }
